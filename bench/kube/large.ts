/** 200 kustomizations and 2,000 objects: memory of the process, while half of the objects are made and after. */
import type { FluxWorld } from '../../test/testbed/flux-world.ts'
import type { Row } from '../row.ts'
import { memoryOf } from '../service/processes.ts'
import { waited } from '../service/world.ts'
import { allReady, filesOf } from './sets.ts'

const megabyte = 1024 ** 2

export async function* large(world: FluxWorld): AsyncIterable<Row> {
  let most = 0
  const watching = setInterval(() => {
    most = Math.max(most, memoryOf(world.serving.pid()))
  }, 100)
  try {
    const commit = world.push('2,000 objects', filesOf(0, 200, 10))
    await allReady(world, 201, commit)
    const end = performance.now() + 10_000
    await waited(20_000, 100, async () => performance.now() > end)
  } finally {
    clearInterval(watching)
  }
  yield {
    name: '200 kustomizations, 2,000 objects: memory, to 256 MB',
    measured: most / (256 * megabyte),
    goal: { is: 'at most', than: 1 },
    behind: `${(most / megabyte).toFixed(0)} MB resident at most, of the release's process, 1,000 being made`,
  }
}
