/** Kind × harm: how long until the status says so, until somebody is alerted, until it is mended. The goal is 2 s to say so. */
import { requiredKube } from '../test/testbed/kube-tools.ts'
import type { Row } from './row.ts'
import { clusterHarms, openCluster } from './truth/cluster-world.ts'
import { truthDocker, truthPodman } from './truth/engines.ts'
import { fleetHarms, openFleet } from './truth/fleet-world.ts'
import { containerHarms, harmNames, type Harm, type Meaningless } from './truth/harms.ts'
import type { Measured } from './truth/measure.ts'
import { openTruth, type Kind } from './truth/world.ts'

/** Charts run on Podman only. `TEND_TRUTH=chart,kill` measures only rows with one of these words. */
const places = [
  ['stack', 'Docker', truthDocker],
  ['stack', 'Podman', truthPodman],
  ['chart', 'Podman', truthPodman],
] as const satisfies readonly (readonly [Kind, string, unknown])[]

const asked = (process.env['TEND_TRUTH'] ?? '').split(',').filter((word) => word !== '')

export async function* rows(): AsyncIterable<Row> {
  const unsaid: Row[] = []
  const said: Row[] = []
  for await (const row of harmRows()) {
    if (row.measured === Number.POSITIVE_INFINITY) unsaid.push(row)
    else if (row.measured > 0) said.push(row)
    yield row
  }
  yield {
    name: 'harms that nobody said',
    measured: unsaid.length,
    goal: { is: 'at most', than: 0 },
    behind:
      unsaid.length === 0
        ? `no harm unsaid: ${said.length} of ${said.length}`
        : unsaid.map(({ name }) => name).join('; '),
  }
}

async function* harmRows(): AsyncIterable<Row> {
  for (const [kind, on, start] of places) yield* containerRows(kind, on, start)
  yield* worldRows('kustomization', clusterHarms(), openCluster)
  yield* worldRows('fleet', fleetHarms(), openFleet)
}

async function* containerRows(
  kind: Kind,
  on: string,
  start: typeof truthDocker,
): AsyncIterable<Row> {
  const named = wanted(`${kind} on ${on}`, containerHarms())
  if (named.length === 0) return
  const engine = await start()
  try {
    for (const [name, harm] of named) {
      const world = await openTruth(kind, engine, harm.name)
      try {
        yield rowOf(name, harm.limit, await world.measure(harm))
      } finally {
        await world.close()
      }
    }
  } finally {
    await engine.stop()
  }
}

/** All harms of a kind in one world, one after the other. */
async function* worldRows<World extends Measures<World>>(
  kind: string,
  harms: readonly (Harm<World> | Meaningless)[],
  open: () => Promise<World>,
): AsyncIterable<Row> {
  const named = wanted(kind, harms)
  if (named.length === 0) return
  const missing = requiredKube()
  if (missing !== false) throw new Error(missing)
  const world = await open()
  try {
    for (const [name, one] of named) {
      if ('why' in one) yield meaningless(name, one)
      else yield rowOf(name, one.limit, await world.measure(one))
    }
  } finally {
    await world.close()
  }
}

type Measures<World> = {
  measure(harm: Harm<World>): Promise<Measured>
  close(): Promise<void>
}

/** A matrix with a hole is none. */
function wanted<One extends Harm<never> | Meaningless>(
  kind: string,
  harms: readonly One[],
): readonly (readonly [string, One])[] {
  const missing = harmNames.filter((name) => !harms.some((one) => one.name === name))
  if (missing.length > 0) throw new Error(`${kind} has no cell for ${missing.join(', ')}`)
  return harms
    .map((one) => [`${kind}: ${one.name}`, one] as const)
    .filter(([name]) => asked.length === 0 || asked.some((word) => name.includes(word)))
}

/** `limit`: 2 s, and what a health check needs by itself to find it out, ms. */
function rowOf(name: string, limit: number, { said, alerted, mended, words }: Measured): Row {
  return {
    name,
    measured: (said ?? Number.POSITIVE_INFINITY) / limit,
    goal: { is: 'at most', than: 1 },
    behind: `said ${seconds(said)}, alerted ${seconds(alerted)}, mended ${seconds(mended)}: ${words}`,
  }
}

function meaningless(name: string, { why }: Meaningless): Row {
  return { name, measured: 0, goal: { is: 'at most', than: 1 }, behind: `no meaning: ${why}` }
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${(milliseconds / 1000).toFixed(2)} s`
}
