/** The unchanged stack of ten services on Podman: we touch nothing, docker compose makes every container anew. */
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { addImage } from '../../test/testbed/image.ts'
import { startPodman } from '../../test/testbed/podman.ts'
import { startProxy } from '../../test/testbed/proxy.ts'
import { must } from '../charts/unchanged.ts'
import type { Row } from '../row.ts'
import type { Fifty } from './fifty-stacks.ts'
import { roadOf } from './road.ts'

export async function* onPodman({ ten }: Fifty, compose: string): AsyncIterable<Row> {
  const podman = await startPodman()
  const proxy = await startProxy(podman.socket)
  const client = dockerAt({ address: `unix://${proxy.socket}` })
  try {
    await addImage(podman.socket)
    const road = roadOf(client)
    await road.run(ten)
    const before = await ids(client)
    proxy.reset()
    await road.run(ten)
    const writes = proxy.writes().length
    const ours = remade(before, await ids(client))
    await road.run(ten, true)
    const environment = { ...process.env, DOCKER_HOST: `unix://${podman.socket}` }
    must(compose, ['-f', ten.file, 'up', '-d'], environment)
    const started = await ids(client)
    must(compose, ['-f', ten.file, 'up', '-d'], environment)
    const theirs = remade(started, await ids(client))
    must(compose, ['-f', ten.file, 'down', '-t', '0'], environment)
    yield {
      name: 'no-op of 10 services on Podman, containers made anew',
      measured: ours,
      goal: { is: 'at most', than: 0 },
      behind: `${ours} of ours, ${theirs} of docker compose`,
    }
    yield {
      name: 'no-op of 10 services on Podman, write calls',
      measured: writes,
      goal: { is: 'at most', than: 0 },
      behind: `${writes} writes`,
    }
  } finally {
    client.close()
    await proxy.stop()
    await podman.stop()
  }
}

async function ids(docker: Docker): Promise<readonly string[]> {
  return (await listContainers(docker, [], new AbortController().signal)).map(({ id }) => id)
}

function remade(before: readonly string[], after: readonly string[]): number {
  return after.filter((id) => !before.includes(id)).length
}
