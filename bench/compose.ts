/** The numbers of Compose stacks on Docker and Podman, each against docker compose 2.40.3 in the same run. */
import { rmSync } from 'node:fs'
import { dockerAt } from '#clients/docker/client.ts'
import { composeOracle } from '../test/testbed/compose-oracle.ts'
import { startDocker } from '../test/testbed/docker.ts'
import { provide } from '../test/testbed/packages.ts'
import { must } from './charts/unchanged.ts'
import { writeFifty, type Fifty } from './compose/fifty-stacks.ts'
import { firstStart } from './compose/first-start.ts'
import { loading } from './compose/loading.ts'
import { onPodman } from './compose/on-podman.ts'
import { unchanged } from './compose/unchanged.ts'
import type { Row } from './row.ts'

export const parts = {
  loading: () => withFifty(loading),
  podman: () => withFifty(onPodman),
  docker: () => withFifty(onDocker),
}

async function* withFifty(
  rows: (fifty: Fifty, compose: string) => AsyncIterable<Row>,
): AsyncIterable<Row> {
  const { path: compose, skip } = composeOracle()
  const isThere = provide('dockerd') && provide('podman') && skip === false
  if (!isThere) throw new Error('Docker, Podman or docker compose is missing')
  must(process.execPath, ['release/build.ts'], process.env)
  const fifty = writeFifty()
  try {
    yield* rows(fifty, compose)
  } finally {
    rmSync(fifty.folder, { recursive: true })
  }
}

async function* onDocker(fifty: Fifty, compose: string): AsyncIterable<Row> {
  const docker = await startDocker()
  const client = dockerAt({ address: `unix://${docker.socket}` })
  try {
    await docker.addImage()
    yield* firstStart(docker, client, fifty, compose)
    yield* unchanged(docker, client, fifty, compose)
  } finally {
    client.close()
    await docker.stop()
  }
}
