/** One process on SQLite: the most memory that it had while 1,000 applications of the toy kind were synced for the first time. */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { gitBench } from '../../test/testbed/git.ts'
import { servingOn, waitFor } from '../../test/testbed/serving.ts'
import { withFilesKind } from '../../test/testbed/with-files-kind.ts'
import type { Row } from '../row.ts'
import { nameOf } from './names.ts'

const size = 1_000
const onHost = 100
const most = 150

export async function* first(): AsyncIterable<Row> {
  const [product, git] = [withFilesKind(), gitBench()]
  const serving = await servingOn({ TEND_FILES_LATENCY: '5' }, product.build())
  try {
    const names = Array.from({ length: size }, (_, index) => nameOf(index))
    for (const name of names) {
      mkdirSync(join(git.work, name))
      writeFileSync(join(git.work, name, `${name}.json`), JSON.stringify({ name }))
    }
    git.git('add', '-A')
    git.commit('all', { 'read.me': 'all' })
    const apps = names.map((name, index) => {
      const host = join(serving.folder, `host-${Math.floor(index / onHost)}`)
      return `  - { fileset: ${name}, path: ${name}, target: "${host}" }`
    })
    serving.declare(`
concurrency: 10
sources: { infra: { git: "file://${git.bare}", ref: main } }
defaults: { interval: 1m }
apps:
${apps.join('\n')}
`)
    await serving.start()
    await waitFor(async () => {
      // metrics have a line for each application: asked for all the time, they would be what is measured
      await setTimeout(1_000)
      const text = await (await serving.api('/metrics')).text()
      return Number(/^tend_apps\{state="synced"\} (\d+)$/m.exec(text)?.[1] ?? 0) >= size
    }, 20 * 60_000)
    const status = readFileSync(`/proc/${serving.pid()}/status`, 'utf8')
    const megabytes = Number(/^VmHWM:\s+(\d+) kB$/m.exec(status)?.[1] ?? 0) / 1024
    yield {
      name: `memory at the first sync of 1,000 in one process, to ${most} MB`,
      measured: megabytes / most,
      goal: { is: 'at most', than: 1 },
      behind: `${megabytes.toFixed(0)} MB at most`,
    }
  } finally {
    await serving.remove()
    git.remove()
    product.remove()
  }
}
