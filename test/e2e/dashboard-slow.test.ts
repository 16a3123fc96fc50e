/** The dashboard under what makes pages fail: a slow service, a flood of events, another language, a graph of 200, a change of who looks. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Browser, Page } from 'playwright-core'
import type { Graph, GraphNode } from '#model/api.ts'
import { openBrowser, openPage, visit, type Look } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { openLargeWorld, type LargeWorld } from '../testbed/dashboard-many.ts'
import { required } from '../testbed/packages.ts'
import { worldToken } from './server-world.ts'

/** How late the service answers, ms: later than the page asks again while events come. */
const late = 2600

describe('the dashboard when it is hard', { skip: required('chromium-headless-shell') }, () => {
  let browser: Browser
  let world: LargeWorld

  before(async () => {
    await provideDashboard()
    browser = await openBrowser()
    world = await openLargeWorld()
  })
  after(async () => {
    await browser?.close()
    await world?.close()
  })

  async function open(path: string, look: Look = {}): Promise<Page> {
    const { page } = await openPage(browser, look)
    await visit(page, `${world.url}${path}`, worldToken)
    return page
  }

  for (const [title, path, asked, words] of [
    ['list', '/?sort=name', '**/api/v1/overview*', 'app-00003'],
    ['application', '/apps/stack:app-00003', '**/detail', 'In force'],
    ['time-line', '/timeline', '**/api/v1/timeline*', 'Nothing happened in this time.'],
  ] as const) {
    test(`a service that answers late while events pour in: the ${title} comes all the same`, async () => {
      const page = await open('/start')
      await page.route(asked, async (route) => {
        await sleep(late)
        await route.fallback()
      })
      const pouring = setInterval(() => world.service.set('stack:app-00003', { failures: 0 }), 500)
      try {
        await page.goto(`${world.url}${path}`)
        await page.getByText(words).first().waitFor({ timeout: 20_000 })
      } finally {
        clearInterval(pouring)
      }
      await page.context().close()
    })
  }

  test('an answer that is cut off in the middle is asked for again', async () => {
    const page = await open('/start')
    let cut = 0
    await page.route('**/api/v1/me', async (route) => {
      cut += 1
      if (cut > 1) return route.fallback()
      // shorter than it says: the browser reads half of an answer
      return route.fulfill({ status: 200, contentType: 'application/json', body: '{"kind": "us' })
    })
    await page.goto(`${world.url}/?sort=name`)
    await page.getByText('app-00003').first().waitFor()
    assert.ok(cut > 1)
    await page.context().close()
  })

  test('numbers and times are those of the viewer', async () => {
    const page = await open('/?sort=name', { locale: 'de-DE' })
    await page.getByText('10.000 applications').first().waitFor()
    await page.context().close()
  })

  test('names and labels of any length stay on a page of 380 px', async () => {
    const page = await open('/start', { width: 380 })
    await page.route('**/detail', async (route) => {
      const detail = await (await route.fetch()).json()
      const application = { ...detail.application, name: 'n'.repeat(63) }
      await route.fulfill({ json: { ...detail, application, labels: { team: 'l'.repeat(63) } } })
    })
    await page.goto(`${world.url}/apps/stack:app-00001`)
    await page.getByText('lllll').waitFor()
    assert.equal(await page.evaluate('document.documentElement.scrollWidth'), 380)
    await page.context().close()
  })

  test('a graph of 200 resources is folded into what fits, and opens where it is pressed', async () => {
    const page = await open('/start')
    await page.route('**/graph', (route) => route.fulfill({ json: graphOf200() }))
    await page.goto(`${world.url}/apps/stack:app-00001`)
    const cards = page.locator('.graph-card')
    await cards.first().waitFor()
    const folded = await cards.count()
    assert.ok(folded <= 40, `${folded} cards`)
    // what is not well is never inside another
    await cards.filter({ hasText: 'worker-13' }).waitFor()
    await page
      .getByRole('button', { name: /^(Open|Show)/ })
      .first()
      .click()
    await cards.nth(folded).waitFor()
    // the same as a list: every one of them by the keyboard
    await page.getByRole('button', { name: 'Tree' }).click()
    await page.getByRole('treeitem').first().waitFor()
    assert.ok((await page.getByRole('treeitem').count()) >= 200)
    await page.context().close()
  })

  test('who logs in after another hears by their own right alone', async () => {
    // those of pages that were closed end a moment later
    while ((await streams()) > 0) await sleep(20)
    const page = await open('/?sort=name')
    await page.getByText('Live', { exact: true }).waitFor()
    // one that was opened for another view ends a moment after the next one began
    while ((await streams()) !== 1) await sleep(20)
    await page.getByRole('button', { name: 'Log out' }).click()
    await page.getByLabel('Token').waitFor()
    while ((await streams()) > 0) await sleep(20)
    await page.getByLabel('Token').fill(worldToken)
    await page.keyboard.press('Enter')
    await page.getByText('Live', { exact: true }).waitFor()
    while ((await streams()) !== 1) await sleep(20)
    await page.context().close()
  })

  async function streams(): Promise<number> {
    const headers = { authorization: `Bearer ${worldToken}` }
    const text = await (await fetch(`${world.url}/metrics`, { headers })).text()
    return Number(/^tend_event_streams (\d+)$/m.exec(text)?.[1] ?? '0')
  }
})

/** 20 services of nine workers and a network each; one worker is not well. */
function graphOf200(): Graph {
  const node = (kind: string, name: string): GraphNode => ({
    id: `${kind}/${name}`,
    type: 'resource',
    kind,
    name,
    sync: 'synced',
    health: name === 'worker-13' ? 'failed' : 'healthy',
    reason: '',
  })
  const workers = Array.from({ length: 180 }, (_, index) => node('container', `worker-${index}`))
  const networks = Array.from({ length: 20 }, (_, index) => node('network', `net-${index}`))
  const edges = workers.map(({ id }, index) => ({
    from: id,
    to: `network/net-${index % 20}`,
    until: 'exists' as const,
  }))
  return { nodes: [...workers, ...networks], edges }
}
