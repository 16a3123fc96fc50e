/** A container is killed by hand: how long until it runs again. */
import { listContainers } from '#clients/docker/container-list.ts'
import { median, milliseconds, type Row } from '../row.ts'
import { nameOf, waited, type World } from './world.ts'

const rounds = 5
const { signal } = new AbortController()

/** The service runs, and looks by itself once an hour only. */
export async function* killed({ docker }: World): AsyncIterable<Row> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) {
    const labels = [`com.docker.compose.project=${nameOf(round)}`]
    const [victim] = await listContainers(docker, labels, signal)
    const began = performance.now()
    await docker.ask('POST', `/containers/${victim?.id}/kill`, { signal, doing: 'killing' })
    await waited(60_000, 10, async () => {
      const there = await listContainers(docker, labels, signal)
      return there.some(({ state, id }) => state === 'running' && (id !== victim?.id || !isEarly()))
    })
    times.push(performance.now() - began)

    /** The list learns late that it ended. */
    function isEarly(): boolean {
      return performance.now() - began < 100
    }
  }
  yield {
    name: 'a killed container of 200 is back, to 2 s',
    measured: median(times) / 2000,
    goal: { is: 'at most', than: 1 },
    behind: `median ${milliseconds(median(times))} of ${rounds}, longest ${milliseconds(Math.max(...times))}; by events, the next cycle was an hour away`,
  }
}
