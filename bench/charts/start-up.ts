/** What it costs to start, on the bundle of a release, against the same Node that does nothing. */
import { spawnSync } from 'node:child_process'
import type { Podman } from '#clients/podman/client.ts'
import { busybox } from '../../test/testbed/image.ts'
import type { TestPodman } from '../../test/testbed/podman.ts'
import { freePort } from '../../test/testbed/port.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import type { Fifty } from './fifty.ts'
import { bareLists } from './road.ts'
import { must } from './unchanged.ts'

export async function* startUp(
  service: TestPodman,
  podman: Podman,
  fifty: Fifty,
): AsyncIterable<Row> {
  const environment = {
    ...process.env,
    CONTAINER_HOST: `unix://${service.socket}`,
    TEND_HOME: `${fifty.folder}/home`,
  }
  const port = await freePort()
  const values = ['--set', `port=${port}`, '--set', `image=${busybox}`]
  must('dist/tend', ['install', './examples/hello', ...values], environment)
  const times = await contest(
    {
      node: { run: () => spawnSync(process.execPath, ['-e', '0']) },
      help: { run: () => must('dist/tend', ['--help'], environment) },
      plan: { run: () => must('dist/tend', ['plan', 'hello'], environment) },
      podman: { run: () => bareLists(podman) },
    },
    15,
  )
  must('dist/tend', ['uninstall', 'hello', '--yes', '--prune-volumes'], environment)
  yield {
    name: 'tend --help, to node -e 0',
    measured: times.help / times.node,
    goal: { is: 'at most', than: 2 },
    behind: `${milliseconds(times.help)} against ${milliseconds(times.node)}`,
  }
  yield {
    name: "a no-op tend plan less Podman's answers, to node -e 0",
    measured: (times.plan - times.podman) / times.node,
    goal: { is: 'at most', than: 4 },
    behind: `${milliseconds(times.plan)} less ${milliseconds(times.podman)} against ${milliseconds(times.node)}`,
  }
}
