/** Focus, scrolling and what was typed: nothing that comes, goes or answers late takes them away. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage, visit } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { openLargeWorld, type LargeWorld } from '../testbed/dashboard-many.ts'
import { focused, tabTo } from '../testbed/keyboard.ts'
import { required } from '../testbed/packages.ts'
import { worldToken } from './server-world.ts'

const app = '/apps/stack:app-00001'

describe('what somebody stands on', { skip: required('chromium-headless-shell') }, () => {
  let browser: Browser
  let world: LargeWorld
  const failed: (readonly string[])[] = []

  before(async () => {
    await provideDashboard()
    browser = await openBrowser()
    world = await openLargeWorld()
  })
  after(async () => {
    await browser?.close()
    await world?.close()
    assert.deepEqual(failed.flat(), [])
  })

  async function open(path: string, { hasClock = false } = {}): Promise<Page> {
    const { page, errors } = await openPage(browser)
    failed.push(errors)
    if (hasClock) await page.clock.install()
    await visit(page, `${world.url}${path}`, worldToken)
    return page
  }

  /** In which part of the page the focus is; empty: nowhere. */
  function placeOf(page: Page): Promise<string> {
    return page.evaluate<string>(
      `document.activeElement === document.body ? '' : document.activeElement.tagName + '.' + document.activeElement.className`,
    )
  }

  async function untilFocused(page: Page, name: string): Promise<void> {
    await page.waitForFunction(
      `(document.activeElement?.getAttribute('aria-label') ?? document.activeElement?.innerText ?? '').trim() === ${JSON.stringify(name)}`,
    )
  }

  test('a menu closes by Escape, by a choice and by going elsewhere, and gets the focus back from its dialog', async () => {
    const page = await open(app)
    const more = page.getByLabel('More actions')
    const prune = page.getByRole('button', { name: 'Prune' })
    await more.click()
    await prune.waitFor()
    await prune.focus()
    await page.keyboard.press('Escape')
    await prune.waitFor({ state: 'hidden' })
    assert.equal(await focused(page), 'More actions')

    await page.keyboard.press('Enter')
    await tabTo(page, 'Prune')
    await page.keyboard.press('Enter')
    await page.getByRole('dialog').waitFor()
    assert.equal(await page.locator('.menu[open]').count(), 0)
    await page.keyboard.press('Escape')
    await page.getByRole('dialog').waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'More actions')

    await page.keyboard.press('Enter')
    await prune.waitFor()
    await tabTo(page, 'Sync')
    await prune.waitFor({ state: 'hidden' })
    await more.click()
    await prune.waitFor()
    await page.getByRole('heading', { level: 1 }).click()
    await prune.waitFor({ state: 'hidden' })
    await page.context().close()
  })

  test('what is said stays while somebody stands in it, and gives the focus back', async () => {
    const page = await open(app, { hasClock: true })
    const suspend = page.getByRole('button', { name: 'Suspend', exact: true })
    await suspend.focus()
    await page.keyboard.press('Enter')
    const words = page.getByText('Suspend: stack:app-00001')
    await words.waitFor()
    const resume = page.getByRole('button', { name: 'Resume', exact: true })
    await resume.focus()
    await page.getByRole('button', { name: 'Dismiss' }).focus()
    await page.clock.runFor(30_000)
    assert.equal(await words.count(), 1)
    await page.keyboard.press('Enter')
    await words.waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Resume')
    // nobody stands in the next one: it goes by itself
    await page.keyboard.press('Enter')
    const next = page.getByText('Resume: it is not suspended')
    await next.waitFor()
    await page.clock.runFor(30_000)
    await next.waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('what is said while a dialog is open is said in it, and can be dismissed there', async () => {
    const page = await open(app)
    await page.route('**/api/v1/apps/*/prune', (route) => route.abort())
    const planned = { revision: 'abc', hash: 'h1', isOutdated: false }
    const one = { ...planned, key: 'stack:app-00001', plan: { ...nothing, groups: [removal] } }
    await page.route('**/api/v1/plans', (route) =>
      route.fulfill({ status: 201, json: { id: 'x', at: 0, by: 'x', apps: [one] } }),
    )
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Prune' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByLabel('Type app-00001 to go on').fill('app-00001')
    const button = dialog.getByRole('button', { name: 'Prune' })
    await button.focus()
    await page.keyboard.press('Enter')
    await dialog.getByText(/^Prune: stack:app-00001: /).waitFor()
    assert.equal(await focused(page), 'Prune')
    await dialog.getByRole('button', { name: 'Dismiss' }).click()
    await dialog.getByText(/^Prune: stack:app-00001: /).waitFor({ state: 'detached' })
    assert.equal(await page.getByRole('dialog').count(), 1)
    await page.context().close()
  })

  test('whoever presses what then goes away stays near it', async () => {
    const page = await open('/?kind=stack&target=docker&sort=name')
    const chip = page.getByRole('list', { name: 'Filters' }).getByRole('button')
    await chip.nth(1).focus()
    await page.keyboard.press('Enter')
    await chip.nth(1).waitFor({ state: 'detached' })
    assert.match(await placeOf(page), /chips/)
    await chip.first().focus()
    await page.keyboard.press('Enter')
    await chip.first().waitFor({ state: 'detached' })
    assert.match(await placeOf(page), /toolbar/)

    await page.getByLabel('Select stack:app-00002').check()
    await page.getByLabel('Select stack:app-00004').check()
    await page.getByRole('button', { name: 'Clear' }).focus()
    await page.keyboard.press('Enter')
    await page.getByText('2 selected').waitFor({ state: 'detached' })
    assert.equal(await focused(page), 'Select stack:app-00004')

    // another one: that of the test above is suspended
    await page.goto(`${world.url}/apps/stack:app-00005/history`)
    await page.getByRole('button', { name: 'Sync', exact: true }).click()
    await page.getByRole('dialog').getByRole('button', { name: 'Sync now' }).click()
    const run = page.getByRole('link', { name: '1', exact: true })
    await run.focus()
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Run 1' }).waitFor()
    assert.match(await placeOf(page), /tab-body/)
    await page.context().close()
  })

  test('the focus stays on an entry of the time-line when another comes above it', async () => {
    const page = await open(`/timeline?from=1&to=${Date.now() * 2}`)
    const press = (name: string, action: string) =>
      page.evaluate(`fetch('/api/v1/apps/stack%3A${name}/${action}', { method: 'POST' })`)
    const entries = page.locator('.entries .entry')
    await press('app-00021', 'suspend')
    const own = entries.getByRole('link', { name: 'stack:app-00021' }).first()
    await own.focus()
    const before = await entries.count()
    await press('app-00022', 'suspend')
    await entries.getByRole('link', { name: 'stack:app-00022' }).first().waitFor()
    assert.ok((await entries.count()) > before)
    assert.equal(await focused(page), 'stack:app-00021')
    await page.context().close()
  })

  test('what is typed while the address follows is not undone, a space at the end neither', async () => {
    const page = await open('/?sort=name')
    const search = page.getByLabel('Search applications')
    await search.focus()
    await page.keyboard.type('app-0000 ')
    await page.getByText('10 applications').waitFor()
    assert.equal(await search.inputValue(), 'app-0000 ')
    // back and forth: the address says something else
    await page.getByRole('button', { name: 'Cards' }).click()
    await page.locator('.app-card').first().waitFor()
    await search.fill('app-00007')
    await page.getByText('1 application', { exact: true }).waitFor()
    await page.goBack()
    await page.waitForFunction(`document.querySelector('.search input').value === 'app-0000 '`)
    await page.goto(`${world.url}${app}/logs?find=two`)
    await page.getByRole('log').locator('mark').waitFor()
    await page.getByLabel('From').selectOption('Last day')
    await page.getByLabel('Search the logs').fill('three')
    await page.getByRole('log').getByText('three').waitFor()
    await page.goBack()
    await page.waitForFunction(`document.querySelector('.logs input').value === 'two'`)
    await page.context().close()
  })

  test('back to the list is back to where it was', async () => {
    const page = await open('/?sort=name')
    await page.getByText('10,000 applications').waitFor()
    await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
    const row = page.getByRole('link', { name: /^app-0(49|50)\d\d$/ }).nth(8)
    const name = await row.innerText()
    await row.click()
    await page.getByRole('heading', { level: 1, name }).waitFor()
    assert.equal(await page.evaluate('scrollY'), 0)
    await page.goBack()
    const again = page.getByRole('link', { name, exact: true })
    await again.waitFor()
    await page.waitForFunction(
      `(() => { const box = [...document.querySelectorAll('.virtual a')].find((one) => one.innerText === ${JSON.stringify(name)})?.getBoundingClientRect(); return box !== undefined && box.top > 0 && box.bottom < innerHeight })()`,
    )
    await page.context().close()
  })

  test('the order is asked for anew by the keyboard, and the focus stays in the list', async () => {
    const page = await open('/')
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByLabel('Select stack:app-00002').focus()
    const health = {
      state: 'failed',
      reason: 'a fault',
      since: Date.now(),
      isGivenUp: true,
    } as const
    world.service.set('stack:app-00031', { health })
    await page.getByRole('button', { name: 'The order has changed: refresh' }).focus()
    await page.keyboard.press('Enter')
    await page.locator('.order-old').waitFor({ state: 'detached' })
    await page.keyboard.press('Tab')
    await untilFocused(page, 'Select stack:app-00031')
    world.service.set('stack:app-00031', { health: { ...health, state: 'healthy', reason: '' } })
    await page.context().close()
  })
})

const nothing = { unchanged: [], skipped: [], kept: [], warnings: [], isFirst: false }
const removal = {
  ref: 'volume/data',
  step: 'delete',
  cause: 'it is declared no more',
  changes: [],
  needs: [],
  gate: 'none',
  make: [],
  undo: [],
  finish: [],
}
