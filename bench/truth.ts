/** Kind × harm: how long until the status says so, until somebody is alerted, until it is mended. The goal is 2 s to say so. */
import { bothEngines } from '../test/testbed/both-engines.ts'
import type { Row } from './row.ts'
import { harmsOf } from './truth/harms.ts'
import { openTruth, type Kind, type Measured } from './truth/world.ts'

/** Charts run on Podman only. */
const kinds = [
  ['stack', 'Docker'],
  ['stack', 'Podman'],
  ['chart', 'Podman'],
] as const satisfies readonly (readonly [Kind, string])[]

export async function* rows(): AsyncIterable<Row> {
  for (const [kind, on] of kinds) {
    const found = bothEngines.find(([name]) => name === on)
    if (found === undefined || found[1] !== false) throw new Error(`${on} is missing`)
    const engine = await found[2]()
    try {
      for (const one of harmsOf(kind)) {
        const { mend } = one
        const world = await openTruth(kind, engine, one.name)
        try {
          const times = await world.measure(() => one.harm(world), mend && (() => mend(world)))
          yield rowOf(`${kind} on ${on}: ${one.name}`, one.limit, times)
        } finally {
          await world.close()
        }
      }
    } finally {
      await engine.stop()
    }
  }
}

/** `limit`: 2 s, and what a health check needs by itself to find it out, ms. */
function rowOf(name: string, limit: number, { said, alerted, mended, words }: Measured): Row {
  return {
    name,
    measured: said / limit,
    goal: { is: 'at most', than: 1 },
    behind: `said ${seconds(said)}, alerted ${seconds(alerted)}, mended ${seconds(mended)}: ${words}`,
  }
}

function seconds(milliseconds: number | undefined): string {
  return milliseconds === undefined ? '-' : `${(milliseconds / 1000).toFixed(2)} s`
}
