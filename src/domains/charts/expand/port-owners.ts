/** Makes room on host ports that another resource of this application holds and is about to give up. */
import { type LivePort } from '#domains/containers/live-state.ts'
import type { Room } from '#domains/containers/expand/recipe.ts'
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { timeoutOf } from './container-calls.ts'
import { operation } from './operation.ts'
import { recordedContainer } from './recorded.ts'
import { liveContainer, livePod } from '../live-state.ts'
import type { PortSpec } from '../spec.ts'

/**
 * Orphans are removed at the very end, and a replaced one stops at a time of its own: whoever needs the port stops the holder
 * itself, and starts an orphan again when it has to go back.
 */
export function makeRoom(expansion: Expansion, ports: readonly PortSpec[]): Room {
  const make: Operation[] = []
  const undo: Operation[] = []
  const wanted = ports.filter(({ hostPort }) => hostPort !== 0)
  if (wanted.length === 0) return { make, undo }
  for (const { ref, id, name } of holdersOf(expansion, wanted)) {
    const step = expansion.steps.get(ref)
    if (ref === expansion.ref || (step !== 'delete' && step !== 'replace')) continue
    make.push(
      operation({
        id: `stop-${id.slice(0, 12)}`,
        verb: 'container.stop',
        payload: { name: id, seconds: timeoutOf(recordedContainer(expansion, ref)) },
        words: `Stopping ${ref}, which holds the port`,
        command: `podman stop ${name}`,
        disrupts: true,
      }),
    )
    if (step === 'replace') continue
    undo.push(
      operation({
        id: `start-${id.slice(0, 12)}`,
        verb: 'container.start',
        payload: { name: id, ports: [] },
        words: `Starting ${ref} again`,
        command: `podman start ${name}`,
      }),
    )
  }
  return { make, undo }
}

type PortHolder = {
  readonly ref: Ref
  readonly id: string
  readonly name: string
  readonly isRunning: boolean
  readonly ports: readonly LivePort[]
}

function holderOf(ref: Ref, live: Parameters<typeof liveContainer>[0]): PortHolder | undefined {
  if (kindOf(ref) === 'container') {
    const { id, name, state, ports, pod } = liveContainer(live)
    return pod === '' ? { ref, id, name, ports, isRunning: state === 'running' } : undefined
  }
  if (kindOf(ref) !== 'pod') return undefined
  const { infraId, name, infraState, ports } = livePod(live)
  return { ref, id: infraId, name, ports, isRunning: infraState === 'running' }
}

/** Each once, though it may hold several of the ports. */
function holdersOf({ world }: Expansion, ports: readonly PortSpec[]): ReadonlySet<PortHolder> {
  const index = runningHolders(world)
  return new Set(
    ports.flatMap(({ hostPort, protocol }) => index.get(`${hostPort}/${protocol}`) ?? []),
  )
}

const runningHolders = indexedOnce((world) => {
  const index = new Map<string, PortHolder[]>()
  for (const [ref, seen] of world) {
    const holder = seen.kind === 'present' ? holderOf(ref, seen.live) : undefined
    if (holder?.isRunning !== true) continue
    for (const { hostPort, protocol } of holder.ports) {
      addToList(index, `${hostPort}/${protocol}`, holder)
    }
  }
  return index
})
