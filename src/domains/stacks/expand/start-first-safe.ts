/** Whether old and new may run side by side: nothing in common that both would open. */
import { textOf } from '#model/read-json.ts'
import type { Expansion } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import { hostPortsOf } from '../host-ports.ts'
import type { LiveContainer } from '../live-state.ts'
import type { ServiceSpec } from '../spec.ts'
import type { RecordedService } from '../spec-of.ts'
import { followersOf, recordedService } from './recorded.ts'

export function isBesideSafe(
  expansion: Expansion,
  spec: ServiceSpec,
  live: LiveContainer,
): boolean {
  const { steps, wanted } = expansion
  const old = recordedService(expansion)
  if (old === undefined || live.state !== 'running' || live.name !== spec.object) return false
  if (spec.updateOrder === 'stop-first' || spec.networks.length === 0) return false
  const both = [old, spec]
  if (both.some((each) => hostPortsOf(each).some(({ range }) => range !== ''))) return false
  if (both.some(({ networks }) => networks.some(isFixed))) return false
  // a network or volume that is taken away under it in this run is no place to stand beside
  const moves = wanted?.needs.some(
    ({ ref }) => ['network', 'volume'].includes(kindOf(ref)) && steps.get(ref) === 'replace',
  )
  // in place is the only order that others can follow
  if (moves === true || followersOf(expansion).length > 0) return false
  if (spec.updateOrder === 'start-first') return true
  if (live.anonymous.length > 0 || both.some(({ volumesFrom }) => volumesFrom.length > 0))
    return false
  const [before, after] = [placesOf(old), placesOf(spec)]
  return (
    !before.writable.some((place) => after.all.includes(place)) &&
    !after.writable.some((place) => before.all.includes(place))
  )
}

/** An address that only one can have. */
function isFixed({ ipv4, ipv6, mac }: ServiceSpec['networks'][number]): boolean {
  return ipv4 !== undefined || ipv6 !== undefined || mac !== undefined
}

/** A device, like a writable place, may bear only one. */
function placesOf({ mounts, service }: RecordedService): {
  readonly all: readonly string[]
  readonly writable: readonly string[]
} {
  const places = mounts.flatMap(({ from, readOnly }) => {
    if (from.kind === 'volume' && from.volume !== '')
      return [{ place: `volume ${from.volume}`, readOnly }]
    return from.kind === 'bind' ? [{ place: `path ${from.path}`, readOnly }] : []
  })
  const devices = (service.devices ?? []).map(({ source }) => `device ${textOf(source)}`)
  const writable = places.filter(({ readOnly }) => !readOnly).map(({ place }) => place)
  return {
    all: [...places.map(({ place }) => place), ...devices],
    writable: [...writable, ...devices],
  }
}
