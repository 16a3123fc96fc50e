/** What one round of lists tells of all charts of a Podman. */
import { createHash } from 'node:crypto'
import type { ListedContainer } from '#clients/podman/containers.ts'
import { label } from '#domains/charts/labels.ts'
import { recordIn, sinceOf, type Labels } from '#domains/containers/record.ts'
import { countOf } from '#domains/containers/container-count.ts'
import { subjectWith, type Expected } from '#domains/containers/expected.ts'
import { expectedOf, listedHealth } from '#domains/charts/look/listed.ts'
import { addToList } from '#model/observation-index.ts'
import type { Listing, Seen, SeenContainer, SeenRecord } from '#model/connection.ts'
import type { Meanings } from '../containers/image-meanings.ts'

type LabelledObject = { readonly name: string; readonly labels: Labels; readonly state?: string }

/** What is expected of each container, by its id, so that its record is read once. */
export type Expectations = Map<string, Expected | undefined>

export function listCharts(
  containers: readonly ListedContainer[],
  others: readonly LabelledObject[],
  instance: string,
  expectations: Expectations = new Map(),
  meanings?: Meanings,
): Listing {
  const things = new Map<string, LabelledObject[]>()
  for (const thing of [...containers.map((one) => containerThing(one, meanings)), ...others]) {
    const owner = thing.labels[label.owner]
    if (owner?.startsWith(`${instance}:`) !== true) continue
    const own = things.get(owner) ?? []
    things.set(owner, own)
    own.push(thing)
  }
  const counts = new Map<string, { running: number; total: number }>()
  const records = new Map<string, SeenRecord[]>()
  for (const { labels, state, isInfra } of containers) {
    const owner = labels[label.owner]
    if (owner === undefined || isInfra) continue
    for (const record of recordIn(labels)) addToList(records, owner, record)
    const count = counts.get(owner) ?? { running: 0, total: 0 }
    counts.set(owner, count)
    count.total += 1
    if (state === 'running') count.running += 1
  }
  const listed = listedByOwner(containers, expectations)
  const apps = new Map<string, Seen>()
  for (const [owner, own] of things) {
    const lines = own.map(
      ({ name, state, labels }) => `${name} ${state ?? ''} ${labels[label.hash]}`,
    )
    const text = lines.toSorted().join('\n')
    apps.set(owner, {
      since: own.map(({ labels }) => sinceOf(labels)).find((time) => time !== undefined),
      mark: undefined,
      containers: countOf(counts.get(owner), listed.get(owner)),
      listed: listed.get(owner) ?? [],
      records: records.get(owner) ?? [],
      fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 20),
    })
  }
  return { apps, orphans: new Map() }
}

function listedByOwner(
  containers: readonly ListedContainer[],
  expectations: Expectations,
): ReadonlyMap<string, readonly SeenContainer[]> {
  const there = new Set(containers.map(({ id }) => id))
  for (const id of expectations.keys()) if (!there.has(id)) expectations.delete(id)
  const listed = new Map<string, SeenContainer[]>()
  for (const one of containers) {
    const { id, name, labels, isInfra } = one
    const [owner, ref] = [labels[label.owner], labels[label.ref]]
    if (owner === undefined || ref === undefined || isInfra) continue
    if (labels[label.rehearsal] !== undefined) continue
    if (!expectations.has(id)) expectations.set(id, expectedOf(labels))
    const expected = expectations.get(id)
    if (expected?.name !== name) continue
    const own = listed.get(owner) ?? []
    listed.set(owner, own)
    const subject = subjectWith(expected, id)
    own.push({ ...listedHealth(one, expected), ref, id, name, subject })
  }
  return listed
}

function containerThing(one: ListedContainer, meanings: Meanings | undefined): LabelledObject {
  const { id, name, image, imageId, state, exitCode, networks } = one
  const about = [
    state,
    id,
    image,
    imageId,
    state === 'running' ? '' : exitCode,
    ...networks.toSorted(),
    meanings?.get(image) ?? '',
  ]
  return { name, labels: one.labels, state: about.join(' ') }
}
