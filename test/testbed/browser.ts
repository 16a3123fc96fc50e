/** A real browser: Debian's Chromium without its windows, which starts seven times as fast, driven by playwright-core, with axe-core for what everybody must be able to use. */
import { readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { chromium, type Browser, type Locator, type Page } from 'playwright-core'
import { whereIs } from './packages.ts'

const switches = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]
/** What goes on for as long as the page is open. */
const streams = /\/api\/v1\/(events|apps\/[^/]+\/logs)/
const axe = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8')

/** Requests of a page that came to nothing, for the words of a test that fails. */
const failures = new WeakMap<Page, readonly string[]>()

export type Look = {
  readonly theme?: 'light' | 'dark'
  readonly width?: number
  readonly locale?: string
  /** A certificate that nobody else signed will do. */
  readonly trustsAll?: boolean
}

export function openBrowser(): Promise<Browser> {
  const name = 'chromium-headless-shell'
  const executablePath = whereIs(name) ?? name
  return chromium.launch({ executablePath, args: switches })
}

/**
 * A page in a browser of its own. Whatever it says on its console as an error is collected. Requests but streams are made by the
 * driver: Chromium drops its own whenever an interface of the machine comes or goes, and containers bring and take many.
 */
export async function openPage(
  browser: Browser,
  { theme = 'light', width = 1280, locale = 'en-GB', trustsAll = false }: Look = {},
): Promise<{ readonly page: Page; readonly errors: readonly string[] }> {
  const viewport = { width, height: 860 }
  const context = await browser.newContext({
    viewport,
    colorScheme: theme,
    locale,
    ignoreHTTPSErrors: trustsAll,
  })
  context.setDefaultTimeout(60_000)
  const page = await context.newPage()
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    const isOurs = message.type() === 'error' && !/Failed to load resource/.test(message.text())
    if (isOurs) errors.push(message.text())
  })
  const failed: string[] = []
  failures.set(page, failed)
  await page.route('**', async (route) => {
    if (streams.test(route.request().url())) return route.continue()
    const isPart = ['document', 'script', 'stylesheet'].includes(route.request().resourceType())
    try {
      // a page whose script was dropped on the way stays empty: its parts are asked for again
      const response = await route
        .fetch({ maxRedirects: 0 })
        .catch((thrown: unknown) =>
          isPart ? route.fetch({ maxRedirects: 0 }) : Promise.reject(thrown),
        )
      return await route.fulfill({ response })
    } catch (thrown) {
      // the service is away, or the page was closed meanwhile
      failed.push(`${route.request().method()} ${route.request().url()}: ${String(thrown)}`)
      return route.abort().catch(() => undefined)
    }
  })
  return { page, errors }
}

/** Goes there, and logs in where it has to. */
export async function visit(page: Page, url: string, token: string): Promise<void> {
  await page.goto(url)
  const field = page.getByLabel('Token')
  const pages = page.locator('nav[aria-label="Pages"]')
  await shownBy(page, field.or(pages).first())
  if (!(await field.isVisible())) return
  await field.fill(token)
  await page.getByRole('button', { name: 'Log in', exact: true }).click()
  await shownBy(page, pages)
}

/** A page that does not come says what it shows in its place. */
async function shownBy(page: Page, wanted: Locator): Promise<void> {
  try {
    await wanted.waitFor()
  } catch (thrown) {
    const shown = await page.evaluate<string>('document.body.innerText || document.body.innerHTML')
    const lost = (failures.get(page) ?? []).slice(-5).join('\n')
    throw new Error(`${page.url()} shows: ${shown.slice(0, 1000)}\n${lost}`, { cause: thrown })
  }
}

/** What axe-core finds wrong, each with the first element that has it. */
export async function violationsOn(page: Page): Promise<readonly string[]> {
  const session = await page.context().newCDPSession(page)
  // the page's policy allows no script that is not its own: this one comes in beside it
  await session.send('Runtime.evaluate', { expression: axe })
  const { result, exceptionDetails } = await session.send('Runtime.evaluate', {
    expression: `axe.run(document, { runOnly: ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'] })
      .then(({ violations }) => violations.map(({ id, help, nodes }) => id + ': ' + help + ' ' + nodes[0].html.slice(0, 160) + ' ' + (nodes[0].any[0]?.message ?? '')))`,
    awaitPromise: true,
    returnByValue: true,
  })
  await session.detach()
  if (exceptionDetails !== undefined) throw new Error(exceptionDetails.text)
  return result.value
}
