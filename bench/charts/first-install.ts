/** A first install costs hardly more than the calls that make the things. */
import type { Podman } from '#clients/podman/client.ts'
import { clearPodman } from '../../test/testbed/podman-clear.ts'
import type { TestPodman } from '../../test/testbed/podman.ts'
import { contest, milliseconds, type Row } from '../row.ts'
import type { Fifty } from './fifty.ts'
import { bareLoop, recording, roadOf } from './road.ts'
import { must } from './unchanged.ts'

export async function* firstInstall(
  service: TestPodman,
  podman: Podman,
  fifty: Fifty,
): AsyncIterable<Row> {
  const recorded = recording(podman)
  await roadOf(recorded.podman, fifty.chart).run()
  const clear = (): Promise<void> => clearPodman(service.socket)
  const times = await contest(
    {
      loop: { before: clear, run: () => bareLoop(podman, recorded.bodies) },
      tend: { before: clear, run: () => roadOf(podman, fifty.chart).run() },
      compose: {
        rounds: 1,
        before: clear,
        run: () =>
          must(
            'podman-compose',
            ['--podman-path', service.command, '-f', fifty.compose, 'up', '-d'],
            process.env,
          ),
      },
    },
    3,
  )
  await clear()
  yield {
    name: 'first install of 50 containers, to the bare loop of calls',
    measured: times.tend / times.loop,
    goal: { is: 'at most', than: 1.3 },
    behind: `${milliseconds(times.tend)} against ${milliseconds(times.loop)}`,
  }
  yield {
    name: 'first install of 50 containers, podman-compose to ours',
    measured: times.compose / times.tend,
    goal: { is: 'at least', than: 1 },
    behind: `${milliseconds(times.compose)} against ${milliseconds(times.tend)}`,
  }
}
