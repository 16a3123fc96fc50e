/**
 * The common case: nothing changed. All stacks in one process share one list of containers, and nothing is written. The process holds them
 * as the service does: it hears the engine's events, and takes one round of lists for all.
 */
import type { Docker } from '#clients/docker/client.ts'
import type { TestDocker } from '../../test/testbed/docker.ts'
import { startProxy } from '../../test/testbed/proxy.ts'
import { must } from '../charts/unchanged.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import type { Fifty } from './fifty-stacks.ts'
import { roadOf, serviceRoad, type ServiceRoad } from './road.ts'

export async function* unchanged(
  docker: TestDocker,
  client: Docker,
  fifty: Fifty,
  compose: string,
): AsyncIterable<Row> {
  const environment = { ...process.env, DOCKER_HOST: `unix://${docker.socket}` }
  const road = roadOf(client)
  for (const project of fifty.projects) await road.run(project)
  yield* counted(docker, fifty)
  const service = await serviceRoad(`unix://${docker.socket}`)
  // containers are inspected once, when the service begins
  await all(service, fifty)
  const ours = await contest({ all: { run: () => all(service, fifty) } }, 7)
  await service.close()
  for (const project of fifty.projects) await road.run(project, true)
  for (const { file } of fifty.projects) must(compose, ['-f', file, 'up', '-d'], environment)
  function theirs(): void {
    for (const { file } of fifty.projects) must(compose, ['-f', file, 'up', '-d'], environment)
  }
  const peer = await contest({ all: { run: theirs } }, 2)
  yield {
    name: 'no-op of 50 stacks of 3 services, docker compose up -d to ours',
    measured: peer.all / ours.all,
    goal: { is: 'at least', than: 30 },
    behind: `${milliseconds(peer.all)} against ${milliseconds(ours.all)}`,
  }
  for (const { file } of fifty.projects) must(compose, ['-f', file, 'down', '-t', '0'], environment)
}

async function all(road: ServiceRoad, { projects }: Fifty): Promise<void> {
  await road.list()
  const ends = await Promise.all(projects.map((project) => road.run(project)))
  const touched = ends.some(({ summary }) => summary.unchanged === 0 || summary.created > 0)
  if (touched) throw new Error('something was not as it was')
}

async function* counted(docker: TestDocker, fifty: Fifty): AsyncIterable<Row> {
  const proxy = await startProxy(docker.socket)
  const service = await serviceRoad(`unix://${proxy.socket}`)
  await all(service, fifty)
  proxy.reset()
  await all(service, fifty)
  const writes = proxy.writes().length
  const reads = proxy.reads()
  const lists = reads.filter(({ path }) => path.includes('/containers/json')).length
  const inspections = reads.filter(({ path }) => /\/containers\/[^/]+\/json/.test(path)).length
  await service.close()
  await proxy.stop()
  yield {
    name: 'no-op of 50 stacks of 3 services, write calls',
    measured: writes,
    goal: { is: 'at most', than: 0 },
    behind: `${writes} writes, ${reads.length} reads`,
  }
  yield {
    name: 'no-op of 50 stacks of 3 services, lists of containers',
    measured: lists,
    goal: { is: 'at most', than: 1 },
    behind: `${lists} for all of them`,
  }
  yield {
    name: 'no-op of 50 stacks of 3 services, inspections of one',
    measured: inspections,
    goal: { is: 'at most', than: 0 },
    behind: `${inspections} of ${reads.length} reads`,
  }
}
