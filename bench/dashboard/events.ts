/** How soon an event is seen, and whether 10,000 of them leave anything behind. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { median, milliseconds, type Row } from '../row.ts'
import { metricOf, type LargeWorld } from '../../test/testbed/dashboard-many.ts'

const mostDelay = 100
const rounds = 20
const manyEvents = 10_000
/** Heaps breathe a little; what leaks with each event does not fit in here. */
const mostGrowth = 1.2

export async function* eventRows(browser: Browser, world: LargeWorld): AsyncIterable<Row> {
  const { page, session } = await world.open(browser, '/?sort=name')
  await page.locator('.virtual .app-row').first().waitFor()
  await page.getByText('Live', { exact: true }).waitFor()
  const delays: number[] = []
  for (let round = 0; round < rounds; round += 1) delays.push(await delayOf(page, world, round))
  yield {
    name: 'from an event to its pixels',
    measured: median(delays) / mostDelay,
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(median(delays))}, at most ${milliseconds(Math.max(...delays))}, of at most ${mostDelay} ms`,
  }
  // what a page compiles and keeps with its first events is no leak
  await pour(page, world, 1_000)
  const before = await heapOf(session)
  await pour(page, world, manyEvents)
  const after = await heapOf(session)
  yield {
    name: `memory after ${manyEvents.toLocaleString('en')} events`,
    measured: after / before,
    goal: { is: 'at most', than: mostGrowth },
    behind: `${(before / 1e6).toFixed(1)} MB before, ${(after / 1e6).toFixed(1)} MB after`,
  }
  await page.context().close()
}

async function delayOf(page: Page, { service }: LargeWorld, round: number): Promise<number> {
  const reason = `measured ${round} ${Date.now()}`
  const seen = page.evaluate<number>(`new Promise((resolve) => {
    const look = () => {
      if (!document.body.innerText.includes('${reason}')) return
      observer.disconnect()
      requestAnimationFrame(() => resolve(Date.now()))
    }
    const observer = new MutationObserver(look)
    observer.observe(document.body, { subtree: true, childList: true, characterData: true })
  })`)
  await page.evaluate('0')
  const told = Date.now()
  const health = { state: 'degraded', reason, since: told, isGivenUp: false } as const
  service.set('stack:app-00000', { health })
  return (await seen) - told
}

/** In portions: a reader who is behind is told only the last of each application. */
async function pour(page: Page, { service }: LargeWorld, events: number): Promise<void> {
  const portion = 100
  for (let count = 0; count < events; count += portion) {
    const reason = `event ${count} of ${Date.now()}`
    for (let index = 0; index < portion; index += 1) {
      const name = `stack:app-${String((count + index) % 1000).padStart(5, '0')}`
      const health = { state: 'degraded', reason, since: Date.now(), isGivenUp: false } as const
      service.set(name, { health })
    }
    // the page has taken them when the first line, which is in sight, shows one of them
    if (count % 1000 === 0) await page.getByText(reason).first().waitFor()
  }
}

async function heapOf(session: CDPSession): Promise<number> {
  await session.send('HeapProfiler.collectGarbage')
  return metricOf(session, 'JSHeapUsedSize')
}
