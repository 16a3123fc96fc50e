/** 10,000 applications in memory behind the real HTTP server, with the built dashboard. */
import type { Browser, CDPSession, Page } from 'playwright-core'
import { filesBelow } from '#cli/service/dashboard-files.ts'
import { openPage, visit } from './browser.ts'
import { startWorld, worldToken } from '../e2e/server-world.ts'
import type { FakeService } from '../fake/service.ts'
import { fakeService } from '../fake/service.ts'

export const many = 10_000

export type LargeWorld = {
  readonly service: FakeService
  readonly url: string
  /** A page that is logged in, and the protocol beneath it. */
  open(
    browser: Browser,
    path: string,
  ): Promise<{ readonly page: Page; readonly session: CDPSession }>
  close(): Promise<void>
}

export async function openLargeWorld(): Promise<LargeWorld> {
  const names = Array.from({ length: many }, (_, index) => `app-${String(index).padStart(5, '0')}`)
  const service = fakeService(names)
  const { served } = await startWorld({ service, dashboard: filesBelow('web/dist') })
  const { url } = served.address
  return {
    service,
    url,
    async open(browser, path) {
      const { page } = await openPage(browser)
      await visit(page, `${url}/start`, worldToken)
      const session = await page.context().newCDPSession(page)
      await session.send('Performance.enable')
      await page.goto(`${url}${path}`)
      return { page, session }
    },
    close: () => served.close(),
  }
}

export async function metricOf(session: CDPSession, name: string): Promise<number> {
  const { metrics } = await session.send('Performance.getMetrics')
  const found = metrics.find((one) => one.name === name)
  if (found === undefined) throw new Error(`Chromium does not tell ${name}`)
  return found.value
}
