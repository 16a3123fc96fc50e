/** Makes room on host ports and addresses that another resource of this application holds and is about to give up. */
import type { Room } from '#domains/containers/expand/recipe.ts'
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { hostPortsOf } from '../host-ports.ts'
import { liveContainer, type LiveContainer } from '../live-state.ts'
import type { ServiceSpec } from '../spec.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'
import { stopOperations } from './calls.ts'
import { operation } from './operation.ts'

/**
 * Orphans are removed at the very end, and a replaced one stops at a time of its own: whoever needs the place stops the holder
 * itself, and starts an orphan again when it has to go back.
 */
export function makeRoom(expansion: Expansion, spec: ServiceSpec): Room {
  const make: Operation[] = []
  const undo: Operation[] = []
  const ports = hostPortsOf(spec).filter(({ hostPort }) => hostPort !== 0)
  const addresses = addressesOf(spec)
  if (ports.length === 0 && addresses.length === 0) return { make, undo }
  const places = [...ports.map(portText), ...addresses]
  const index = holdersByPlace(expansion.world)
  for (const { ref, live, old } of new Set(places.flatMap((place) => index.get(place) ?? []))) {
    const step = expansion.steps.get(ref)
    if (ref === expansion.ref || (step !== 'delete' && step !== 'replace')) continue
    make.push(...stopOperations(`stop-${live.id.slice(0, 12)}`, live.id, live.name, old, true))
    if (step === 'replace') continue
    undo.push(
      operation({
        id: `start-${live.id.slice(0, 12)}`,
        verb: 'container.start',
        payload: { name: live.id, shown: live.name },
        words: `Starting ${ref} again`,
        command: `docker start ${live.name}`,
      }),
    )
  }
  return { make, undo }
}

type PlaceHolder = {
  readonly ref: Ref
  readonly live: LiveContainer
  readonly old: RecordedService | undefined
}

/** Who runs on which host port and which address. */
const holdersByPlace = indexedOnce((world) => {
  const index = new Map<string, PlaceHolder[]>()
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || kindOf(ref) !== 'container') continue
    const live = liveContainer(seen.live)
    if (live.state !== 'running') continue
    const spec = seen.recorded?.spec
    const old = spec !== undefined && isRecordedService(spec) ? spec : undefined
    const places = [...live.ports.map(portText), ...(old === undefined ? [] : addressesOf(old))]
    for (const place of new Set(places)) addToList(index, place, { ref, live, old })
  }
  return index
})

function portText(port: { readonly hostPort: number; readonly protocol: string }): string {
  return `${port.hostPort}/${port.protocol}`
}

function addressesOf({ networks }: RecordedService): readonly string[] {
  return networks.flatMap(({ network, ipv4, ipv6 }) =>
    [ipv4, ipv6].flatMap((address) => (address === undefined ? [] : `${network} ${address}`)),
  )
}
