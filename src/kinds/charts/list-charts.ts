/** What one round of lists tells of all charts of a Podman. */
import { createHash } from 'node:crypto'
import type { ListedContainer } from '#clients/podman/containers.ts'
import { label } from '#domains/charts/labels.ts'
import { sinceOf, type Labels } from '#domains/containers/record.ts'
import type { Listing, Seen } from '#model/connection.ts'

type Thing = { readonly name: string; readonly labels: Labels; readonly state?: string }

export function listCharts(
  containers: readonly ListedContainer[],
  others: readonly Thing[],
  instance: string,
): Listing {
  const things = new Map<string, Thing[]>()
  for (const thing of [...containers.map(containerThing), ...others]) {
    const owner = thing.labels[label.owner]
    if (owner?.startsWith(`${instance}:`) !== true) continue
    const own = things.get(owner) ?? []
    things.set(owner, own)
    own.push(thing)
  }
  const counts = new Map<string, { running: number; total: number }>()
  for (const { labels, state, isInfra } of containers) {
    const owner = labels[label.owner]
    if (owner === undefined || isInfra) continue
    const count = counts.get(owner) ?? { running: 0, total: 0 }
    counts.set(owner, count)
    count.total += 1
    if (state === 'running') count.running += 1
  }
  const apps = new Map<string, Seen>()
  for (const [owner, own] of things) {
    const lines = own.map(
      ({ name, state, labels }) => `${name} ${state ?? ''} ${labels[label.hash]}`,
    )
    const text = lines.toSorted().join('\n')
    apps.set(owner, {
      since: own.map(({ labels }) => sinceOf(labels)).find((time) => time !== undefined),
      mark: undefined,
      containers: counts.get(owner) ?? { running: 0, total: 0 },
      fingerprint: createHash('sha256').update(text).digest('hex').slice(0, 20),
    })
  }
  return { apps, orphans: new Map() }
}

function containerThing(one: ListedContainer): Thing {
  const { id, name, image, imageId, state, exitCode, networks } = one
  const about = [
    state,
    id,
    image,
    imageId,
    state === 'running' ? '' : exitCode,
    ...networks.toSorted(),
  ]
  return { name, labels: one.labels, state: about.join(' ') }
}
