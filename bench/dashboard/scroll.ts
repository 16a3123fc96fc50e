/** 10,000 applications scroll by: how long the page's own thread is kept at most by one task. */
import type { Browser } from 'playwright-core'
import { longestTask } from './busy.ts'
import { median, milliseconds, type Row } from '../row.ts'
import { many, type LargeWorld } from '../../test/testbed/dashboard-many.ts'

const mostBlocked = 50
const rounds = 3
/** So many turns of the wheel, each this far, px. */
const [turns, far] = [80, 900]

export async function scrollRow(browser: Browser, world: LargeWorld): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await once(browser, world))
  const longest = median(times)
  return {
    name: `longest task while ${many.toLocaleString('en')} applications scroll by`,
    measured: longest / mostBlocked,
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(longest)} of the processor, of at most ${mostBlocked} ms`,
  }
}

async function once(browser: Browser, world: LargeWorld): Promise<number> {
  const { page } = await world.open(browser, '/?sort=name')
  await page.locator('.virtual .app-row').nth(8).waitFor()
  await page.mouse.move(600, 600)
  const longest = await longestTask(browser, page, async () => {
    for (let turn = 0; turn < turns; turn += 1) {
      await page.mouse.wheel(0, far)
      await page.evaluate('new Promise((done) => requestAnimationFrame(done))')
    }
    // it has come where the wheel led, and the rows there are filled
    await page
      .getByRole('link', { name: /app-0(0[5-9]|1)\d\d\d?/ })
      .first()
      .waitFor()
  })
  await page.context().close()
  return longest
}
