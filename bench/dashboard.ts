/** The dashboard against its limits, in a real browser on the real HTTP server: size, time to a usable list of 10,000, events, memory, scrolling, layout. */
import { openBrowser } from '../test/testbed/browser.ts'
import { provideDashboard } from '../test/testbed/dashboard-files.ts'
import { required } from '../test/testbed/packages.ts'
import { eventRows } from './dashboard/events.ts'
import { firstLoadRows } from './dashboard/first-load.ts'
import { layoutRow } from './dashboard/layout.ts'
import { scrollRow } from './dashboard/scroll.ts'
import { openLargeWorld } from '../test/testbed/dashboard-many.ts'
import type { Row } from './row.ts'

export async function* rows(): AsyncIterable<Row> {
  const missing = required('chromium-headless-shell')
  if (missing !== false) throw new Error(missing)
  await provideDashboard()
  const browser = await openBrowser()
  const world = await openLargeWorld()
  try {
    yield* firstLoadRows(browser, world)
    yield* eventRows(browser, world)
    yield await scrollRow(browser, world)
    yield await layoutRow(browser, world)
  } finally {
    await browser.close()
    await world.close()
  }
}
