/** The numbers of charts on Podman, each against the bare work or a peer in the same run. */
import { rmSync } from 'node:fs'
import { podmanAt } from '#clients/podman/client.ts'
import { addImage } from '../test/testbed/image.ts'
import { provide } from '../test/testbed/packages.ts'
import { startPodman } from '../test/testbed/podman.ts'
import { writeFifty } from './charts/fifty.ts'
import { firstInstall } from './charts/first-install.ts'
import { planning } from './charts/planning.ts'
import { startUp } from './charts/start-up.ts'
import { must, unchanged, wholeCommand } from './charts/unchanged.ts'
import type { Row } from './row.ts'

export const parts = { planning, podman }

async function* podman(): AsyncIterable<Row> {
  if (!provide('podman') || !provide('podman-compose')) throw new Error('Podman is missing')
  must(process.execPath, ['release/build.ts'], process.env)
  const service = await startPodman()
  const fifty = writeFifty()
  const client = podmanAt(`unix://${service.socket}`)
  try {
    await addImage(service.socket)
    yield* startUp(service, client, fifty)
    yield* unchanged(service, client, fifty)
    yield await wholeCommand(service, fifty)
    yield* firstInstall(service, client, fifty)
  } finally {
    client.close()
    await service.stop()
    rmSync(fifty.folder, { recursive: true })
  }
}
