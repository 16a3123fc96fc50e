/** Makes room on host ports and addresses that another resource of this application holds and is about to give up. */
import type { Expansion } from '#model/domain.ts'
import type { Operation } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import { hostPortsOf } from '../host-ports.ts'
import { liveContainer, type LiveContainer } from '../live.ts'
import type { ServiceSpec } from '../spec.ts'
import type { RecordedService } from '../spec-of.ts'
import { stopOperations } from './calls.ts'
import { operation } from './operation.ts'
import { recordedService } from './recorded.ts'

export type Room = { readonly make: readonly Operation[]; readonly undo: readonly Operation[] }

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
  for (const [ref, seen] of expansion.world) {
    const step = expansion.steps.get(ref)
    if (ref === expansion.ref || seen.kind !== 'present' || kindOf(ref) !== 'container') continue
    if (step !== 'delete' && step !== 'replace') continue
    const live = liveContainer(seen.live)
    const old = recordedService(expansion, ref)
    if (live.state !== 'running' || !holds(live, old, ports, addresses)) continue
    make.push(...stopOperations(`stop-${live.id.slice(0, 12)}`, live.id, live.name, old, true))
    if (step === 'replace') continue
    undo.push(
      operation({
        id: `start-${live.id.slice(0, 12)}`,
        verb: 'container.start',
        payload: { name: live.id },
        words: `Starting ${ref} again`,
        command: `docker start ${live.name}`,
      }),
    )
  }
  return { make, undo }
}

function holds(
  live: LiveContainer,
  old: RecordedService | undefined,
  ports: ReturnType<typeof hostPortsOf>,
  addresses: readonly string[],
): boolean {
  const held = old === undefined ? [] : addressesOf(old)
  return (
    addresses.some((address) => held.includes(address)) ||
    ports.some(({ hostPort, protocol }) =>
      live.ports.some((port) => port.hostPort === hostPort && port.protocol === protocol),
    )
  )
}

function addressesOf({ networks }: RecordedService): readonly string[] {
  return networks.flatMap(({ network, ipv4, ipv6 }) =>
    [ipv4, ipv6].flatMap((address) => (address === undefined ? [] : `${network} ${address}`)),
  )
}
