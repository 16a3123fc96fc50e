/** `npm run shots`: the README's pictures, taken of the real service with real Docker. */
import { mkdirSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { openDashboardWorld } from '../test/testbed/dashboard-world.ts'

const folder = 'docs/pictures'

const world = await openDashboardWorld()
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
  await page.evaluate(namesOf(world.git.folder))
  await page.screenshot({ path: `${folder}/${name}.png` })
  await page.context().close()
  console.log(`${folder}/${name}.png`)
}

/** The scratch repository and its author are shown as what people would have; what else the page says stays. */
function namesOf(folder: string): string {
  return `{
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
    while (walker.nextNode()) {
      const node = walker.currentNode
      node.nodeValue = node.nodeValue.replaceAll(${JSON.stringify(folder)}, 'https://git.example.org')
      if (node.nodeValue.trim() === 'A') node.nodeValue = node.nodeValue.replace('A', 'Ada')
    }
  }`
}
