/** Networks: a changed one is recreated under everyone's feet: all go off it, it is made anew, all go on again. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Json } from '#model/json.ts'
import { indexedOnce } from '#model/observation-index.ts'
import type { Group, Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation, Present } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import type { Calls } from './calls.ts'

/** By network, then by the id of a container: how it is on it. */
type Attachments<Attachment> = ReadonlyMap<string, ReadonlyMap<string, Attachment>>

type Live = { readonly id: string; readonly name: string; readonly attached: readonly string[] }

export type NetworkRecipe<Spec extends { readonly object: string }, Attachment> = {
  readonly calls: Calls
  specOf(value: Value): Spec
  liveOf(live: Json): Live
  /** To make it as it is wanted. */
  create(expansion: Expansion, spec: Spec): Operation
  /** To make it again as it was: of `spec`, what is no part of a record. */
  recreate(expansion: Expansion, spec: Spec, old: Present['recorded'] & object): Operation
  /** The record on each of our own containers says how it is on networks. */
  attachments(world: Observation): Attachments<Attachment>
  /** Without an attachment it is a stranger's container: how it was on the network was asked when it was taken off. */
  connect(
    network: string,
    container: string,
    shown: string,
    attachment: Attachment | undefined,
    id?: string,
  ): Operation
}

export function expandNetwork<Spec extends { readonly object: string }, Attachment>(
  recipe: NetworkRecipe<Spec, Attachment>,
  expansion: Expansion,
): Group {
  const { step, wanted, seen, world } = expansion
  const { calls } = recipe
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? recipe.liveOf(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    return live === undefined
      ? group
      : { ...group, finish: [calls.removeNetwork('remove', live.name, live.id)] }
  }
  const spec = recipe.specOf(wanted.spec)
  const create = recipe.create(expansion, spec)
  if (live === undefined) {
    return { ...group, make: [create], undo: [calls.removeNetwork('take-back', spec.object)] }
  }
  if (step === 'update') return group
  const known = recipe.attachments(world).get(live.name)
  const on = (name: string): readonly Operation[] =>
    live.attached.map((id) =>
      recipe.connect(name, id, id.slice(0, 12), known?.get(id), `on-${id.slice(0, 12)}`),
    )
  return {
    ...group,
    make: [
      ...live.attached.map((id) => offOperation(calls, live.name, id)),
      { ...calls.removeNetwork('remove', live.name, live.id), disrupts: true },
      create,
      ...on(spec.object),
    ],
    undo: undoOf(recipe, expansion, spec, live, on(live.name)),
  }
}

/** The same dance with the old spec. Without a record nobody knows what to go back to. */
function undoOf<Spec extends { readonly object: string }, Attachment>(
  recipe: NetworkRecipe<Spec, Attachment>,
  expansion: Expansion,
  spec: Spec,
  { attached }: Live,
  on: readonly Operation[],
): readonly Operation[] {
  const { calls } = recipe
  const recorded = expansion.seen.kind === 'present' ? expansion.seen.recorded : undefined
  if (recorded === undefined) return []
  return [
    ...attached.map((id) => ({
      ...offOperation(calls, spec.object, id),
      id: `undo-off-${id.slice(0, 12)}`,
    })),
    calls.removeNetwork('undo-remove', spec.object),
    { ...recipe.recreate(expansion, spec, recorded), id: 'undo-create' },
    ...on.map((each) => ({ ...each, id: `undo-${each.id}` })),
  ]
}

function offOperation(calls: Calls, network: string, id: string): Operation {
  const call = calls.disconnect(network, id, id.slice(0, 12), `off-${id.slice(0, 12)}`)
  return { ...call, disrupts: true }
}

/** `of`: what the record of one resource says, with the id of the container that is on the networks; undefined for others. */
export function attachmentsBy<Attachment>(
  of: (
    ref: Ref,
    seen: Present,
  ) =>
    | {
        readonly id: string
        readonly on: readonly { readonly network: string; readonly as: Attachment }[]
      }
    | undefined,
): (world: Observation) => Attachments<Attachment> {
  return indexedOnce((world) => {
    const index = new Map<string, Map<string, Attachment>>()
    for (const [ref, seen] of world) {
      const one = seen.kind === 'present' ? of(ref, seen) : undefined
      for (const { network, as } of one?.on ?? []) {
        const known = index.get(network) ?? new Map<string, Attachment>()
        known.set(one?.id ?? '', as)
        index.set(network, known)
      }
    }
    return index
  })
}
