/** How much script the first page takes, and how long the page's thread is busy until 10,000 applications can be used. */
import { statSync } from 'node:fs'
import type { Browser } from 'playwright-core'
import { median, milliseconds, type Row } from '../row.ts'
import { many, metricOf, type LargeWorld } from '../../test/testbed/dashboard-many.ts'

const rounds = 5
const mostBytes = 120_000
const mostTime = 1000

export async function* firstLoadRows(browser: Browser, world: LargeWorld): AsyncIterable<Row> {
  const times: number[] = []
  let bytes = 0
  for (let round = 0; round < rounds; round += 1) {
    const { page, session } = await world.open(browser, '/start')
    const scripts = new Set<string>()
    page.on('response', (response) => {
      const { pathname } = new URL(response.url())
      if (pathname.endsWith('.js')) scripts.add(pathname)
    })
    await page.goto('about:blank')
    await page.goto(world.url)
    await page.locator('.virtual .app-row').nth(8).waitFor()
    times.push((await metricOf(session, 'TaskDuration')) * 1000)
    bytes = [...scripts].reduce((sum, path) => sum + statSync(`web/dist${path}.br`).size, 0)
    await page.context().close()
  }
  yield {
    name: 'JavaScript of the first page, compressed',
    measured: bytes / mostBytes,
    goal: { is: 'at most', than: 1 },
    behind: `${(bytes / 1000).toFixed(1)} kB of at most ${mostBytes / 1000} kB`,
  }
  yield {
    name: `busy until a list of ${many.toLocaleString('en')} can be used`,
    measured: median(times) / mostTime,
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(median(times))} of at most ${milliseconds(mostTime)}; Argo CD is reported at 35 s with 8,000 (argo-cd #9575)`,
  }
}
