/** What a domain knows of its containers, so that how one is made, mended, replaced and removed is written once. */
import type { Expansion } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import type { Gate, Group, Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import type { LiveContainer } from '../live-state.ts'
import type { Calls } from './calls.ts'

/** What makes room for a container, and what gives it back. */
export type Room = { readonly make: readonly Operation[]; readonly undo: readonly Operation[] }

/** What every spec of a container has. */
export type AnySpec = {
  /** The container's name. */
  readonly object: string
  readonly networks: readonly { readonly network: string }[]
}

/** Why a container is made: the first one, one beside the old one, or one in the place of the old one. */
type Occasion = 'create' | 'start-first' | 'stop-first'

/** `Spec`: as it is wanted; `Old`: as it is recorded on a container that is there. */
export type ContainerRecipe<
  Spec extends AnySpec,
  Old extends AnySpec,
  Live extends LiveContainer,
> = {
  readonly calls: Calls
  specOf(value: Value): Spec
  liveOf(live: Json): Live
  /** What the container that is there was made from. */
  recorded(expansion: Expansion): Old | undefined
  /** What must be true before the run may go on. */
  gateOf(spec: Spec): Gate
  subjectOf(spec: Spec, name: string): Json
  /** Seconds that it gets to end in. */
  timeoutOf(spec: Spec | Old | undefined): number
  /** Six characters that stand for what is made. */
  shortHashOf(expansion: Expansion): string
  /** Its image, and whatever shows before anything is touched that it could not start. */
  prepare(expansion: Expansion, spec: Spec, occasion: Occasion): readonly Operation[]
  /** `aliases`: the only names on all its networks, instead of those it is to have in the end. */
  create(
    expansion: Expansion,
    spec: Spec,
    name: string,
    aliases?: readonly string[],
  ): readonly Operation[]
  start(name: string, shown: string, spec: Spec | Old, id?: string): readonly Operation[]
  stop(id: string, live: Live, shown: string, old: Spec | Old): readonly Operation[]
  connect(attachment: Spec['networks'][number], container: string): Operation
  makeRoom(expansion: Expansion, spec: Spec): Room
  /** Mends what drifted: its name, its networks, its state. */
  mend(expansion: Expansion, spec: Spec, live: Live): Room
  /** Whether the new one may run beside the old one. */
  isStartFirst(expansion: Expansion, spec: Spec, live: Live): boolean
  /** Volumes that are made anew in this run, and take the container along that has them mounted. */
  lostVolumes(expansion: Expansion): readonly Ref[]
  /** One that went with its volume is made anew: what that adds. */
  remade(group: Group, expansion: Expansion, spec: Spec, live: Live): Group
  /** It is as it should be and only starts again; undefined where it is to be replaced. */
  restarted?(expansion: Expansion, spec: Spec, live: Live): Group | undefined
  /** How the old one goes once nobody needs it any more. */
  retire(live: Live, shown: string, old: Spec | Old): readonly Operation[]
  /** Whether the old one runs again by itself, or has to be started, when the run goes back. */
  startsAgain(expansion: Expansion, live: Live): boolean
  /** Those that the removal of the old one has to wait for. */
  followers?(expansion: Expansion): readonly Ref[]
  /** How one goes that nobody declares any more. */
  end(live: Live, shown: string, old: Old | undefined): readonly Operation[]
  /** What goes with it then. */
  leftovers?(expansion: Expansion, live: Live): readonly Operation[]
}
