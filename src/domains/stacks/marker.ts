/**
 * The one object that speaks for a stack as a whole: an empty volume whose labels say what was last synced and how it went.
 * Labels of containers can't, since what a commit leaves alone keeps the labels of its own last change. A volume, since
 * engines prune stopped containers, unused networks and images far more readily; and one with options, since Docker prunes
 * none of those.
 */
import type { Docker } from '#clients/docker/client.ts'
import {
  createVolume,
  listVolumes,
  removeVolume,
  type ListedVolume,
} from '#clients/docker/volumes.ts'
import { createHash } from 'node:crypto'
import type { Rendered } from '#model/domain.ts'
import type { Outcome } from '#model/event.ts'
import { canonical, hashOf } from '#model/json.ts'
import { adoptedIn, adoptedText, type Adopted } from './adopt-labels.ts'
import { label } from './labels.ts'
import { settledRecord } from './record.ts'

export type Marker = {
  readonly owner: string
  /** Of the last sync that changed the stack, or how it stands. */
  readonly revision: string
  readonly hash: string
  /** ms */
  readonly at: number
  /** Undefined: it was taken over, and not synced since. */
  readonly outcome: Outcome | undefined
  /** What was taken over from docker compose, and carries no labels of ours. */
  readonly adopted: Adopted
  /** Files that containers were given since they were made: by id, by path, their hash. */
  readonly given: Given
  /** Which discovery of a service it comes from; undefined: somebody declared or started it by itself. */
  readonly foundBy?: string | undefined
}

export type Given = ReadonlyMap<string, Readonly<Record<string, string>>>

export const markerLabel = {
  is: 'tend/marker',
  at: 'tend/time',
  outcome: 'tend/outcome',
  adopted: 'tend/adopted',
  foundBy: 'tend/found-by',
  given: 'tend/given',
} as const

/** Of everything that is wanted; what a new checkout or a new key changes is not in it. */
export function stackHash({ resources, vault }: Rendered): string {
  const records = resources.map(({ ref, spec }) => [ref, settledRecord(spec, vault, new Map())])
  return hashOf(Object.fromEntries(records))
}

/** By owner: the newest, should a run that was cut off have left two. */
export function markersIn(volumes: readonly ListedVolume[]): ReadonlyMap<string, Marker> {
  const known = read.get(volumes)
  if (known !== undefined) return known
  const found = new Map<string, Marker>()
  read.set(volumes, found)
  for (const volume of volumes) {
    const marker = markerOf(volume)
    if (marker === undefined) continue
    const other = found.get(marker.owner)
    if (other === undefined || other.at < marker.at) found.set(marker.owner, marker)
  }
  return found
}

/** Many look at the same lists. */
const read = new WeakMap<readonly ListedVolume[], ReadonlyMap<string, Marker>>()

export async function readMarkers(
  docker: Docker,
  signal: AbortSignal,
): Promise<ReadonlyMap<string, Marker>> {
  return markersIn(await listVolumes(docker, [markerLabel.is], signal))
}

/** Of memory that nobody ever mounts. */
const DriverOpts = { type: 'tmpfs', device: 'tmpfs' }

/**
 * After a run; whether it was written. `changed`: the run changed something, so that its revision counts. A commit that leaves a stack
 * alone is no reason to write.
 */
export async function writeMarker(
  docker: Docker,
  news: Omit<Marker, 'adopted' | 'given'> & {
    readonly adopted?: Adopted
    readonly given?: Given
    readonly changed?: boolean
  },
  signal: AbortSignal,
): Promise<boolean> {
  const volumes = await own(docker, news.owner, signal)
  const before = markersIn(volumes).get(news.owner)
  const foundBy = news.foundBy ?? before?.foundBy
  const isSame =
    before?.hash === news.hash &&
    (news.changed !== true || before.revision === news.revision) &&
    before.outcome === news.outcome &&
    before.foundBy === foundBy
  const hasMore = news.adopted !== undefined || news.given !== undefined
  if (isSame && !hasMore && volumes.length === 1) return false
  const adopted = news.adopted ?? before?.adopted ?? new Map()
  const marker = { ...news, foundBy, adopted, given: news.given ?? before?.given ?? new Map() }
  const Name = nameOf(marker)
  await createVolume(docker, { Name, DriverOpts, Labels: labelsOf(marker) }, signal)
  for (const { name } of volumes) if (name !== Name) await removeVolume(docker, name, signal)
  return true
}

/** Notes what a container was given. Those that are gone are forgotten. */
export async function noteGiven(
  docker: Docker,
  owner: string,
  id: string,
  contents: Readonly<Record<string, string>>,
  there: ReadonlySet<string>,
  signal: AbortSignal,
): Promise<void> {
  const before = (await readMarkers(docker, signal)).get(owner)
  const others = [...(before?.given ?? [])].filter(([other]) => there.has(other))
  const given = new Map(others).set(id, { ...before?.given.get(id), ...contents })
  const none = { owner, revision: '', hash: '', at: 0, outcome: undefined }
  await writeMarker(docker, { ...(before ?? none), given }, signal)
}

/** When the stack goes. */
export async function removeMarker(
  docker: Docker,
  owner: string,
  signal: AbortSignal,
): Promise<void> {
  for (const { name } of await own(docker, owner, signal)) await removeVolume(docker, name, signal)
}

async function own(
  docker: Docker,
  owner: string,
  signal: AbortSignal,
): Promise<readonly ListedVolume[]> {
  const markers = await listVolumes(docker, [markerLabel.is], signal)
  return markers.filter(({ labels }) => labels[label.owner] === owner)
}

/** Another one for whatever it says, so that the new one never is the old one. */
function nameOf(marker: Marker): string {
  const short = (text: string): string =>
    createHash('sha256').update(text).digest('hex').slice(0, 12)
  return `tend-${short(marker.owner)}-${short(canonical(labelsOf(marker)))}`
}

function labelsOf(marker: Marker): Readonly<Record<string, string>> {
  return {
    [markerLabel.is]: 'true',
    [label.owner]: marker.owner,
    [label.revision]: marker.revision,
    [label.hash]: marker.hash,
    [markerLabel.at]: String(marker.at),
    [markerLabel.outcome]: marker.outcome ?? '',
    [markerLabel.adopted]: adoptedText(marker.adopted),
    ...(marker.given.size === 0 ? {} : { [markerLabel.given]: adoptedText(marker.given) }),
    ...(marker.foundBy === undefined ? {} : { [markerLabel.foundBy]: marker.foundBy }),
  }
}

const outcomes = ['succeeded', 'failed', 'interrupted', 'refused'] as const

function markerOf({ labels }: ListedVolume): Marker | undefined {
  const owner = labels[label.owner]
  if (labels[markerLabel.is] !== 'true' || owner === undefined) return undefined
  return {
    owner,
    revision: labels[label.revision] ?? '',
    hash: labels[label.hash] ?? '',
    at: Number(labels[markerLabel.at] ?? 0),
    outcome: outcomes.find((word) => word === labels[markerLabel.outcome]),
    adopted: adoptedIn(labels[markerLabel.adopted] ?? ''),
    given: adoptedIn(labels[markerLabel.given] ?? ''),
    foundBy: labels[markerLabel.foundBy],
  }
}
