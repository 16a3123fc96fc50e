/** What one round of lists tells of all stacks of an engine. */
import { hash } from 'node:crypto'
import type { ListedContainer } from '#clients/docker/container-list.ts'
import type { ListedNetwork } from '#clients/docker/networks.ts'
import type { ListedVolume } from '#clients/docker/volumes.ts'
import { label } from '#domains/stacks/labels.ts'
import { markersIn, type Marker } from '#domains/stacks/marker.ts'
import { recordIn, recordLabel, sinceOf, type Labels } from '#domains/containers/record.ts'
import { countOf } from '#domains/containers/container-count.ts'
import { subjectWith, type Expected } from '#domains/containers/expected.ts'
import { expectedOf, listedHealth } from '#domains/stacks/look/listed.ts'
import type { Listing, Seen, SeenContainer, SeenRecord } from '#model/connection.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Meanings } from '../containers/image-meanings.ts'
import type { ImageCheck, LearnedContainers } from './learn-containers.ts'

export type StackLists = {
  readonly containers: readonly ListedContainer[]
  readonly networks: readonly ListedNetwork[]
  readonly volumes: readonly ListedVolume[]
}

/** What docker-cd puts on what it starts. */
const originPrefix = 'com.docker-cd.'
const originPath = `${originPrefix}stack.path`

type Draft = {
  since: number | undefined
  running: number
  total: number
  readonly lines: string[]
  readonly listed: SeenContainer[]
  readonly records: SeenRecord[]
}

/** By id of a container: its record is read once. */
export type Expectations = Map<string, Expected | undefined>

export type About = {
  readonly expectations: Expectations
  readonly isPodman: boolean
  readonly learned?: LearnedContainers
  /** Where a list of containers does not tell that a tag moved. */
  readonly meanings?: Meanings | undefined
}

/** Only what this instance owns. */
export function listStacks(
  { containers, networks, volumes }: StackLists,
  instance: string,
  { expectations, isPodman, learned, meanings }: About,
): Listing {
  const markers = markersIn(volumes)
  const ownerOf = ownersOf(markers)
  const drafts = new Map<string, Draft>()
  const orphans = new Map<string, Record<string, Labels>>()
  const prefix = `${instance}:`

  function note(kind: string, id: string, labels: Labels, line: string): Draft | undefined {
    const owner = ownerOf(kind, id, labels)
    if (owner === undefined || !owner.startsWith(prefix)) return undefined
    const draft = drafts.get(owner) ?? newDraft()
    drafts.set(owner, draft)
    draft.since ??= sinceOf(labels)
    draft.lines.push(`${kind} ${id} ${line}`)
    return draft
  }

  function seenContainer(one: ListedContainer): SeenContainer | undefined {
    const { id, name } = one
    const adopted = markers.get(ownerOf('container', id, one.labels) ?? '')?.adopted
    const taken = adopted?.get(`container ${id}`)
    const labels = taken === undefined ? one.labels : { ...taken, ...one.labels }
    const ref = labels[recordLabel.ref]
    if (!expectations.has(id)) {
      expectations.set(id, withCheck(expectedOf(labels), learned?.get(id)?.check))
    }
    const expected = expectations.get(id)
    if (expected?.name !== name || ref === undefined) return undefined
    return {
      ...listedHealth(one, expected, isPodman),
      ref,
      id,
      name,
      subject: subjectWith(expected, id),
    }
  }

  const there = new Set(containers.map(({ id }) => id))
  for (const id of expectations.keys()) if (!there.has(id)) expectations.delete(id)
  for (const one of containers) {
    const changed = learned?.get(one.id)?.changed ?? ''
    const meant = meanings?.get(one.image) ?? ''
    const line = [containerLine(one), changed, meant].filter((part) => part !== '').join(' ')
    const draft = note('container', one.id, one.labels, line)
    if (draft !== undefined) {
      draft.total += 1
      if (one.state === 'running') draft.running += 1
      draft.records.push(...recordIn(one.labels))
      const seen = seenContainer(one)
      if (seen !== undefined) draft.listed.push(seen)
    } else if (one.labels[originPath] !== undefined && one.labels[label.owner] === undefined) {
      const project = one.labels[label.project] ?? ''
      const services = orphans.get(project) ?? {}
      orphans.set(project, services)
      services[one.labels[label.service] ?? ''] = originLabels(one.labels)
    }
  }
  for (const one of networks) note('network', one.id, one.labels, one.name)
  for (const one of volumes) {
    if (one.labels['tend/marker'] === undefined) note('volume', one.name, one.labels, '')
  }
  const apps = new Map<string, Seen>()
  for (const [owner, draft] of drafts) apps.set(owner, seenOf(draft, markers.get(owner)))
  return { apps, orphans }
}

/** The check of an image, where the file has none. */
function withCheck(
  expected: Expected | undefined,
  check: ImageCheck | undefined,
): Expected | undefined {
  if (expected === undefined || check === undefined || expected.checkEvery !== undefined) {
    return expected
  }
  const { subject } = expected
  const own = isRecord<Json>(subject) ? { ...subject, health: { ...check } } : subject
  return { ...expected, checkEvery: check.interval, subject: own }
}

function newDraft(): Draft {
  return { since: undefined, running: 0, total: 0, lines: [], listed: [], records: [] }
}

function seenOf(draft: Draft, marker: Marker | undefined): Seen {
  const { since, running, total, lines, listed, records } = draft
  const isGood = marker?.outcome === undefined || marker.outcome === 'succeeded'
  const mark =
    marker && isGood ? { revision: marker.revision, hash: marker.hash, at: marker.at } : undefined
  const all = [marker?.hash ?? 'unmarked', ...lines.toSorted()].join('\n')
  const fingerprint = hash('sha256', all).slice(0, 20)
  const adopted = marker === undefined ? [] : [...marker.adopted.values()]
  const known = since ?? adopted.map(sinceOf).find((time) => time !== undefined)
  const foundBy = marker?.foundBy === undefined ? {} : { foundBy: marker.foundBy }
  const told = { containers: countOf({ running, total }, listed), listed, records, fingerprint }
  return { since: known, mark, ...foundBy, ...told }
}

function containerLine({
  name,
  image,
  imageId,
  state,
  exitCode,
  networks,
}: ListedContainer): string {
  const joined = networks.map(({ network }) => network).toSorted()
  return [name, image, imageId, state, exitCode ?? '', ...joined].join(' ')
}

/** Whose an object is: by its labels, or by the marker of who took it over. */
export function ownersOf(
  markers: ReadonlyMap<string, Marker>,
): (kind: string, id: string, labels: Labels) => string | undefined {
  const adopted = new Map<string, string>()
  for (const { owner, adopted: taken } of markers.values()) {
    for (const key of taken.keys()) adopted.set(key, owner)
  }
  return (kind, id, labels) => labels[recordLabel.owner] ?? adopted.get(`${kind} ${id}`)
}

function originLabels(labels: Labels): Labels {
  return Object.fromEntries(
    Object.entries(labels).filter(([name]) => name.startsWith(originPrefix)),
  )
}
