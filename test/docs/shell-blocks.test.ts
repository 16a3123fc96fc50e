/** Every shell block of the README and of docs/ that is marked to be run works as it is written, and prints what stands below it. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { addImage, exampleImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { blocksOf } from './blocks.ts'
import { pagesOnCluster } from './cluster-pages.ts'
import { runBlocks } from './run-blocks.ts'

const skip = required('podman')
const pages = ['README.md', ...globSync('docs/*.md').toSorted()]
  .filter((file) => !pagesOnCluster.includes(file))
  .map((file) => ({ file, blocks: blocksOf(file, readFileSync(file, 'utf8')) }))
  .filter(({ blocks }) => blocks.length > 0)
let podman: TestPodman

before(async () => {
  if (skip !== false) return
  podman = await startPodman()
  await addImage(podman.socket, exampleImage)
})

after(async () => {
  if (skip === false) await podman.stop()
})

test('pages have blocks that are run', () => {
  const files = pages.map(({ file }) => file)
  for (const file of ['README.md', 'docs/quickstart-compose.md', 'docs/tour.md']) {
    assert.ok(files.includes(file))
  }
})

for (const { file, blocks } of pages) {
  test(`the blocks of ${file}`, { skip, timeout: 300_000 }, async () => {
    const address = `unix://${podman.socket}`
    await runBlocks(blocks, { CONTAINER_HOST: address, DOCKER_HOST: address })
  })
}
