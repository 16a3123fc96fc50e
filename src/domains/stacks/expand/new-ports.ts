/** Host ports that nobody of this application holds yet: whether they are free can be known before anything is made. */
import type { Expansion } from '#model/domain.ts'
import { indexedOnce } from '#model/observation-index.ts'
import { kindOf } from '#model/ref.ts'
import { hostPortsOf, type HostPort } from '../host-ports.ts'
import { liveContainer } from '../live-state.ts'
import type { ServiceSpec } from '../spec.ts'
import { isRecordedService } from '../spec-of.ts'

export function newPorts({ world }: Expansion, spec: ServiceSpec): readonly HostPort[] {
  const held = heldPorts(world)
  if (held === undefined) return []
  return hostPortsOf(spec).filter((port) => port.hostPort !== 0 && !held.has(keyOf(port)))
}

/** Undefined when a killed run left something: what that holds is not known. */
const heldPorts = indexedOnce((world): ReadonlySet<string> | undefined => {
  const held = new Set<string>()
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || kindOf(ref) !== 'container') continue
    if (seen.spares.length > 0) return undefined
    const spec = seen.recorded?.spec
    const recorded = spec !== undefined && isRecordedService(spec) ? hostPortsOf(spec) : []
    for (const port of [...liveContainer(seen.live).ports, ...recorded]) held.add(keyOf(port))
  }
  return held
})

function keyOf({ hostPort, protocol }: Pick<HostPort, 'hostPort' | 'protocol'>): string {
  return `${hostPort}/${protocol}`
}
