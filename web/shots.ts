/** `npm run shots`: the README's pictures, taken of the real service with real Docker. */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openDashboardWorld } from '../test/testbed/dashboard-world.ts'

const folder = 'docs/pictures'

// pictures show what is: the repository's place and the author of its commits are really these
const world = await openDashboardWorld({ folder: join(tmpdir(), 'tend-shop'), author: 'Ada' })
try {
  await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
  await world.serving.until('stack:broken', ({ health }) => health.state === 'failed')
  mkdirSync(folder, { recursive: true })
  await take('overview', '/', 'light', (page) => page.locator('.virtual .app-row').nth(2).waitFor())
  await take('application', '/apps/stack:shop', 'dark', (page) =>
    page.locator('.graph-card').nth(3).waitFor(),
  )
  await take('run', '/apps/stack:shop/history?run=1', 'light', (page) =>
    page.getByRole('list', { name: 'Steps' }).waitFor(),
  )
} finally {
  await world.stop()
}

async function take(
  name: string,
  path: string,
  theme: 'light' | 'dark',
  isThere: (page: Page) => Promise<unknown>,
): Promise<void> {
  const page = await world.open(path, { theme, width: 1280 })
  await page.setViewportSize({ width: 1280, height: 620 })
  await isThere(page)
  await page.screenshot({ path: `${folder}/${name}.png` })
  await page.context().close()
  console.log(`${folder}/${name}.png`)
}
