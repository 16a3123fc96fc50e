/** Volumes: made once; recreated or removed only when the user said so in as many words. */
import { removeUser } from '#domains/containers/expand/recorded.ts'
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group, Operation } from '#model/plan.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { calls, timeoutOf } from './container-calls.ts'
import { shownText } from '#domains/containers/sealed-text.ts'
import { labelsFor, operation, recordedSpecOf } from './operation.ts'
import { recordedContainer } from './recorded.ts'
import { liveContainer, liveVolume } from '../live-state.ts'
import type { ContainerSpec, VolumeSpec } from '../spec.ts'
import { isContainerSpec, volumeSpecOf } from '../spec-of.ts'

export function expandVolume(expansion: Expansion): Group {
  const { step, wanted, seen, identity } = expansion
  const group = emptyGroup(expansion)
  const live = seen.kind === 'present' ? liveVolume(seen.live) : undefined
  if (step === 'delete' || wanted === undefined) {
    const isThere = live?.hasObject === true
    return isThere ? { ...group, finish: [calls.removeVolume(live.name, identity.owner)] } : group
  }
  const make = makeOperation(expansion, volumeSpecOf(wanted.spec))
  if (live?.hasObject !== true) return { ...group, make }
  if (step === 'update') return group
  const remove = { ...calls.removeVolume(live.name, identity.owner), disrupts: true }
  return { ...group, make: [...usersOf(expansion, live.name), remove, ...make] }
}

/** Volumes that are made anew in this run, and take the container along that has them mounted. */
export function lostVolumes(expansion: Expansion): readonly Ref[] {
  const names = new Set(namedVolumes(recordedContainer(expansion)))
  const refs = [...names].flatMap((name) => volumesByName(expansion.world).get(name) ?? [])
  return refs.filter((ref) => expansion.steps.get(ref) === 'replace')
}

const volumesByName = indexedOnce((world) => {
  const index = new Map<string, Ref[]>()
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'volume' || seen.kind !== 'present') continue
    addToList(index, liveVolume(seen.live).name, ref)
  }
  return index
})

function namedVolumes(spec: ContainerSpec | undefined): readonly string[] {
  const mounts = spec?.mounts ?? []
  return mounts.flatMap(({ from }) => (from.kind === 'named' ? from.volume : []))
}

const usersByVolume = indexedOnce((world) => {
  const index = new Map<string, [Ref, Present][]>()
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present') continue
    const spec = seen.recorded?.spec
    if (spec === undefined || !isContainerSpec(spec)) continue
    for (const name of new Set(namedVolumes(spec))) addToList(index, name, [ref, seen])
  }
  return index
})

/**
 * A stopped container holds its volume too: those of ours that use it go first. They are made anew in the same run. One
 * that is left as it is keeps its volume: Podman refuses to remove what is in use.
 */
function usersOf(expansion: Expansion, volume: string): readonly Operation[] {
  const users = usersByVolume(expansion.world).get(volume) ?? []
  return users.flatMap(([ref, seen]) => {
    if (!expansion.steps.has(ref)) return []
    const seconds = timeoutOf(recordedContainer(expansion, ref))
    return removeUser(calls, liveContainer(seen.live), seen, seconds)
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
  const flags = Object.entries(from.options ?? {}).map(
    ([name, value]) => ` --opt ${name}=${shownText(value)}`,
  )
  return [
    operation({
      id: 'create',
      verb: 'volume.create',
      payload: { spec, record: recordedSpecOf(expansion), labels: labelsFor(expansion) },
      words: `Creating volume ${object}`,
      command: `podman volume create --driver ${from.driver}${flags.join('')} ${object}`,
    }),
  ]
}
