/** Whether old and new may run side by side: nothing in common that both would open. */
import type { Expansion } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import { recordedContainer } from './expand-recorded.ts'
import type { LiveContainer } from './live.ts'
import type { ContainerSpec } from './spec.ts'

export function isBesideSafe(
  { steps, wanted, ...rest }: Expansion,
  spec: ContainerSpec,
  live: LiveContainer,
): boolean {
  const old = recordedContainer({ steps, wanted, ...rest })
  if (old === undefined || live.state !== 'running' || live.name !== spec.object) return false
  if (spec.pod !== undefined || old.pod !== undefined || live.pod !== '') return false
  if (spec.networks.length === 0) return false
  if (
    spec.ports.some(({ hostPort }) => hostPort !== 0) ||
    old.ports.some(({ hostPort }) => hostPort !== 0)
  )
    return false
  // a network or volume that is taken away under it in this run is no place to stand beside
  const moves = wanted?.needs.some(
    ({ ref }) => ['network', 'volume'].includes(kindOf(ref)) && steps.get(ref) === 'replace',
  )
  if (moves === true) return false
  const opened = new Set(writablePlaces(old))
  return !writablePlaces(spec).some((place) => opened.has(place)) && !hasReaders(old, spec)
}

/** A device, like a writable place, may bear only one. */
function writablePlaces(spec: ContainerSpec): readonly string[] {
  const mounts = spec.mounts.flatMap(({ from, readOnly }) => {
    if (readOnly || from.kind === 'memory') return []
    return from.kind === 'named' ? `volume ${from.volume}` : `path ${from.path}`
  })
  return [...mounts, ...(spec.devices ?? []).map(({ host }) => `device ${host}`)]
}

/** One writes what the other only reads. */
function hasReaders(old: ContainerSpec, spec: ContainerSpec): boolean {
  const places = (of: ContainerSpec): readonly string[] =>
    of.mounts.flatMap(({ from }) =>
      from.kind === 'memory'
        ? []
        : from.kind === 'named'
          ? `volume ${from.volume}`
          : `path ${from.path}`,
    )
  const [left, right] = [new Set(places(old)), new Set(places(spec))]
  return (
    writablePlaces(old).some((place) => right.has(place)) ||
    writablePlaces(spec).some((place) => left.has(place))
  )
}
