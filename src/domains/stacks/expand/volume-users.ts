/** Who has which volume mounted, by the records: by name, or through `volumes_from`. A stopped container holds its volume too. */
import type { Expansion } from '#model/domain.ts'
import { addToList, indexedOnce } from '#model/observation-index.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Present } from '#model/resource.ts'
import { liveContainer, liveVolume } from '../live-state.ts'
import { isRecordedService, type RecordedService } from '../spec-of.ts'

export type User = { readonly ref: Ref; readonly seen: Present; readonly old: RecordedService }

export function usersOf({ world }: Expansion, volume: string): readonly User[] {
  return usersByVolume(world).get(volume) ?? []
}

/** Volumes that are made anew in this run, and take the container along that has them mounted. */
export function lostVolumes({ world, steps, ref }: Expansion): readonly Ref[] {
  return (volumesByUser(world).get(ref) ?? []).filter((volume) => steps.get(volume) === 'replace')
}

const usersByVolume = indexedOnce((world) => {
  const users = new Map<string, User>()
  for (const [ref, seen] of world) {
    if (kindOf(ref) !== 'container' || seen.kind !== 'present') continue
    const old = seen.recorded?.spec
    if (old === undefined || !isRecordedService(old)) continue
    users.set(liveContainer(seen.live).id, { ref, seen, old })
  }
  const index = new Map<string, User[]>()
  for (const [id, user] of users) {
    for (const name of volumesOf(id, users, new Set())) addToList(index, name, user)
  }
  return index
})

/** `passed`: containers that were looked at, should they name each other. */
function volumesOf(
  id: string,
  users: ReadonlyMap<string, User>,
  passed: Set<string>,
): ReadonlySet<string> {
  const user = users.get(id)
  if (user === undefined || passed.has(id)) return new Set()
  passed.add(id)
  const { mounts, volumesFrom } = user.old
  const own = mounts.flatMap(({ from }) => (from.kind === 'volume' ? from.volume : []))
  const joined = volumesFrom.flatMap(({ container }) =>
    typeof container === 'string' ? [...volumesOf(container, users, passed)] : [],
  )
  return new Set([...own, ...joined])
}

const volumesByUser = indexedOnce((world) => {
  const index = new Map<Ref, Ref[]>()
  for (const [volume, seen] of world) {
    if (kindOf(volume) !== 'volume' || seen.kind !== 'present') continue
    const users = usersByVolume(world).get(liveVolume(seen.live).name) ?? []
    for (const { ref } of users) addToList(index, ref, volume)
  }
  return index
})
