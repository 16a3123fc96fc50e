/** Whether old and new may run side by side: nothing in common that both would open. */
import type { Expansion } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import { recordedContainer } from './recorded.ts'
import type { LiveContainer } from '../live-state.ts'
import type { ContainerSpec, MountSpec } from '../spec.ts'

export function isBesideSafe(
  expansion: Expansion,
  spec: ContainerSpec,
  live: LiveContainer,
): boolean {
  const old = recordedContainer(expansion)
  if (old === undefined || live.state !== 'running' || live.name !== spec.object) return false
  if (spec.pod !== undefined || old.pod !== undefined || live.pod !== '') return false
  if (spec.networks.length === 0 || hasHostPort(spec) || hasHostPort(old)) return false
  if (isMoving(expansion)) return false
  return !isWrittenBy(old, spec) && !isWrittenBy(spec, old)
}

function hasHostPort({ ports }: ContainerSpec): boolean {
  return ports.some(({ hostPort }) => hostPort !== 0)
}

/** A network or volume that is taken away under it in this run is no place to stand beside. */
function isMoving({ wanted, steps }: Expansion): boolean {
  const needs = wanted?.needs ?? []
  return needs.some(
    ({ ref }) => ['network', 'volume'].includes(kindOf(ref)) && steps.get(ref) === 'replace',
  )
}

/** Whether one writes what the other uses. */
function isWrittenBy(writer: ContainerSpec, user: ContainerSpec): boolean {
  const used = new Set(placesOf(user, () => true))
  return placesOf(writer, ({ readOnly }) => !readOnly).some((place) => used.has(place))
}

/** A device, like a writable place, may bear only one. */
function placesOf(spec: ContainerSpec, counts: (mount: MountSpec) => boolean): readonly string[] {
  const mounts = spec.mounts.filter(counts).flatMap(({ from }) => {
    if (from.kind === 'memory') return []
    return from.kind === 'named' ? `volume ${from.volume}` : `path ${from.path}`
  })
  return [...mounts, ...(spec.devices ?? []).map(({ host }) => `device ${host}`)]
}
