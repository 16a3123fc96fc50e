/** Volumes: made once; recreated or removed only when the user said so in as many words. */
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import { removeOperation as removeContainer, timeoutOf } from './container-calls.ts'
import { emptyGroup, labelsFor, operation, recordOf } from './operation.ts'
import { recordedContainer } from './recorded.ts'
import { liveContainer, liveVolume, spareOf } from '../live.ts'
import type { VolumeSpec } from '../spec.ts'
import { volumeSpecOf } from '../spec-of.ts'

export function expandVolume(expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveVolume(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    const isThere = live?.hasObject === true
    return isThere ? { ...group, finish: [removeOperation(live.name)] } : group
  }
  const make = makeOperation(expansion, volumeSpecOf(wanted.spec))
  if (live?.hasObject !== true) return { ...group, make }
  if (step === 'update') return group
  const remove = { ...removeOperation(live.name), disrupts: true }
  return { ...group, make: [...usersOf(expansion, live.name), remove, ...make] }
}

/** Volumes that are made anew in this run, and take the container along that has them mounted. */
export function lostVolumes(expansion: Expansion): readonly Ref[] {
  return [...expansion.steps].flatMap(([ref, step]) => {
    const seen = expansion.world.get(ref)
    if (kindOf(ref) !== 'volume' || step !== 'replace' || seen?.kind !== 'present') return []
    return isUser(expansion, expansion.ref, liveVolume(seen.live).name) ? [ref] : []
  })
}

function isUser(expansion: Expansion, ref: Ref, volume: string): boolean {
  const mounts = recordedContainer(expansion, ref)?.mounts ?? []
  return mounts.some(({ from }) => from.kind === 'named' && from.volume === volume)
}

/**
 * A stopped container holds its volume too: those of ours that use it go first. They are made anew in the same run. One
 * that is left as it is keeps its volume: Podman refuses to remove what is in use.
 */
function usersOf(expansion: Expansion, volume: string): readonly Operation[] {
  return [...expansion.world].flatMap(([ref, seen]) => {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present') return []
    if (!expansion.steps.has(ref) || !isUser(expansion, ref, volume)) return []
    const seconds = timeoutOf(recordedContainer(expansion, ref))
    const live = liveContainer(seen.live)
    return [{ id: live.id, name: live.name }, ...seen.spares.map(spareOf)].map(({ id, name }) => ({
      ...removeContainer(`remove-${id.slice(0, 12)}`, id, name, seconds),
      disrupts: true,
    }))
  })
}

function makeOperation(expansion: Expansion, spec: VolumeSpec): readonly Operation[] {
  const { object, from, owner } = spec
  if (from.kind === 'memory') return []
  if (from.kind === 'host') {
    const isFile = from.type === 'FileOrCreate'
    return [
      operation({
        id: 'create',
        verb: 'path.create',
        payload: { path: from.path, isFile, ...(owner === undefined ? {} : { owner }) },
        words: `Making ${isFile ? 'file' : 'directory'} ${from.path}`,
        command: isFile ? `touch ${from.path}` : `mkdir -p ${from.path}`,
      }),
    ]
  }
  const flags = Object.entries(from.options ?? {}).map(([name, value]) => ` --opt ${name}=${value}`)
  return [
    operation({
      id: 'create',
      verb: 'volume.create',
      payload: { spec, record: recordOf(expansion), labels: labelsFor(expansion) },
      words: `Creating volume ${object}`,
      command: `podman volume create --driver ${from.driver}${flags.join('')} ${object}`,
    }),
  ]
}

function removeOperation(name: string): Operation {
  return operation({
    id: 'remove',
    verb: 'volume.remove',
    payload: { name },
    words: `Removing volume ${name}`,
    command: `podman volume rm ${name}`,
  })
}
