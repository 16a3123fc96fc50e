/** Parts of a page that fail, that one may not see, and the words that tiles, rows and the first sentence share; in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { filesBelow } from '#cli/service/dashboard-files.ts'
import { createToken } from '#server/access/tokens.ts'
import { memoryNotes } from '#store/memory.ts'
import { openBrowser, openPage, violationsOn, visit } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { systemClock } from '../testbed/drive.ts'
import { required } from '../testbed/packages.ts'
import { startWorld, type World } from './server-world.ts'

describe('parts of the dashboard', { skip: required('chromium-headless-shell') }, () => {
  let browser: Browser
  let world: World
  let whole: string
  let bound: string

  before(async () => {
    await provideDashboard()
    browser = await openBrowser()
    const notes = memoryNotes()
    const make = async (apps?: readonly string[]) =>
      (await createToken(notes, systemClock, { name: 'x', role: 'sync', apps })).text
    whole = await make()
    bound = await make(['stack:web'])
    world = await startWorld({ dashboard: filesBelow('web/dist'), clock: systemClock, notes })
  })
  after(async () => {
    await browser?.close()
    await world?.served.close()
  })

  async function open(path: string, token = whole): Promise<Page> {
    const { page } = await openPage(browser)
    await visit(page, `${world.served.address.url}${path}`, token)
    return page
  }

  test('a page that a token may not see says which right is missing, and is not called cut off', async () => {
    const page = await open('/apps/stack:db', bound)
    await page.getByRole('heading', { name: 'You may not see this' }).waitFor()
    await page.getByText('This token is bound to stack:web and may not use stack:db').waitFor()
    await page.getByText('Use a token that is bound to it, or to none').waitFor()
    await page.getByText('No right to this page').waitFor()
    assert.equal(await page.getByText('Not connected').count(), 0)
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('link', { name: 'To the overview' }).click()
    await page.getByText('Live', { exact: true }).waitFor()
    await page.getByText('1 application', { exact: true }).waitFor()
    await page.context().close()
  })

  test('what could not be got is asked for again by itself, and by a button', async () => {
    const page = await open('/start')
    let failures = 0
    await page.route('**/api/v1/targets', (route) => {
      failures += 1
      return failures > 2 ? route.fallback() : route.fulfill({ status: 502, body: 'bad gateway' })
    })
    await page.goto(`${world.served.address.url}/targets`)
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await page.getByText('Reachable').first().waitFor()
    assert.equal(failures, 3)
    await page.context().close()
  })

  test('the graph comes though its worker could not be loaded at first', async () => {
    const page = await open('/start')
    let asked = 0
    await page.route('**/assets/layout-*', (route) => {
      asked += 1
      return asked === 1 ? route.abort() : route.fallback()
    })
    await page.goto(`${world.served.address.url}/apps/stack:web`)
    await page.locator('.graph-card').first().waitFor()
    assert.ok(asked > 1)
    await page.context().close()
  })

  test('a page that could not be loaded leaves the others alone, and comes when the service is back', async () => {
    const page = await open('/')
    await page.getByText('2 applications', { exact: true }).waitFor()
    let isAway = true
    const away = { url: /assets\/sources|api\/v1\/me$/ } as const
    await page.route(away.url, (route) => (isAway ? route.abort() : route.fallback()))
    const pages = page.getByRole('navigation', { name: 'Pages' })
    await pages.getByRole('link', { name: 'Sources' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    await page.getByRole('button', { name: 'Try again' }).waitFor()
    await pages.getByRole('link', { name: 'Targets' }).click()
    await page.getByText('Reachable').first().waitFor()
    await pages.getByRole('link', { name: 'Sources' }).click()
    await page.getByText('This page could not be loaded').waitFor()
    isAway = false
    await page.getByRole('heading', { name: 'Sources' }).waitFor()
    await page.getByText('stacks.git').first().waitFor()
    await page.context().close()
  })

  test('what a row has to say beside its name is whole at 1280 px', async () => {
    const { service } = world
    const newest = { revision: 'def', message: 'next', hash: 'h2' }
    service.rowFacts.set('stack:db', { blockedBy: ['kustomization:flux-system/platform'] })
    service.set('stack:db', {
      desired: newest,
      reason: 'it waits for something that has a long name',
    })
    service.set('stack:web', { isSuspended: true, desired: newest })
    const page = await open('/?sort=name')
    await page.locator('.app-row').getByText('Blocked by platform').waitFor()
    await page.locator('.app-row').getByText('Update available').first().waitFor()
    const cut = await page.evaluate<readonly string[]>(
      `[...document.querySelectorAll('.app-row .pill .truncate')]
        .filter((one) => {
          const range = document.createRange()
          range.selectNodeContents(one)
          return range.getBoundingClientRect().width > one.getBoundingClientRect().width + 0.01
        })
        .map((one) => one.textContent)`,
    )
    assert.deepEqual(cut, [])
    service.rowFacts.delete('stack:db')
    const { desired } = service.app('stack:db')
    for (const key of ['stack:db', 'stack:web']) {
      service.set(key, {
        isSuspended: false,
        reason: '',
        desired: desired && { ...desired, hash: 'h1' },
      })
    }
    await page.context().close()
  })

  test('behind is counted, filtered and called so, and drifted is what was changed by hand; the worst is named in every order', async () => {
    const since = Date.now() - 60_000
    const behind = { state: 'drifted', reason: 'newer waits', since, isBehind: true } as const
    const drifted = { state: 'drifted', reason: 'changed by hand', since } as const
    world.service.set('stack:db', { sync: behind })
    world.service.set('stack:web', { sync: drifted, needsAcknowledgement: true })
    const page = await open('/?sort=name')
    await page.getByRole('button', { name: '1 Drifted' }).waitFor()
    await page.getByRole('button', { name: '1 Behind' }).click()
    await page.waitForURL('**sync=behind*')
    await page.getByText('1 application', { exact: true }).waitFor()
    const row = page.locator('.virtual .app-row')
    assert.match(await row.innerText(), /db[\s\S]*Behind/)
    await page.getByRole('button', { name: '1 Behind' }).click()
    await page.getByText('2 applications', { exact: true }).waitFor()
    // by name db comes first, and web is worse
    const verdict = page.locator('.verdict')
    await verdict.getByText('2 need you').waitFor()
    assert.match(await verdict.innerText(), /web drifted .*changed by hand/s)
    for (const sort of ['-attention', 'changed', '-name']) {
      await page.goto(`${world.served.address.url}/?sort=${sort}&group=kind`)
      await verdict.getByText('2 need you').waitFor()
      assert.match(await verdict.innerText(), /web drifted/, sort)
    }
    await page.context().close()
  })
})
