/** The dashboard with 10,000 applications on the real HTTP server: long lists, groups, live rows, and axe on every page. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import type { ActionName } from '#model/api.ts'
import { openBrowser, openPage, violationsOn, visit, type Look } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { openLargeWorld, type LargeWorld } from '../testbed/dashboard-many.ts'
import { describedRoutes } from '../testbed/described-routes.ts'
import { focused, tabTo } from '../testbed/keyboard.ts'
import { required } from '../testbed/packages.ts'
import { worldToken } from './server-world.ts'

const pages = [
  '/',
  '/?view=cards',
  '/?group=kind',
  '/apps/stack:app-00001',
  '/apps/stack:app-00001?as=tree',
  '/apps/stack:app-00001/plan',
  '/apps/stack:app-00001/drift',
  '/apps/stack:app-00001/history',
  '/apps/stack:app-00001/logs',
  '/apps/stack:app-00001/timeline',
  '/apps/stack:app-00001?as=tree&resource=container%2Fweb',
  '/apps/stack:app-00001?resource=container%2Fweb&part=declared',
  '/timeline',
  '/sources',
  '/targets',
  '/fleets',
  '/start',
  '/nowhere',
  '/apps/stack:none',
]
/** What buttons press. */
const actions: readonly ActionName[] = [
  'sync',
  'suspend',
  'resume',
  'acknowledge',
  'adopt',
  'restart',
  'rollback',
  'prune',
  'forget',
]
/** Both themes and both widths; `npm run test:dashboard` tries all four pairs. */
const looks: readonly Look[] =
  process.env['TEND_DASHBOARD'] === 'all'
    ? [{}, { theme: 'dark' }, { width: 380 }, { theme: 'dark', width: 380 }]
    : [{ theme: 'dark' }, { width: 380 }]

describe(
  'the dashboard with 10,000 applications',
  { skip: required('chromium-headless-shell') },
  () => {
    let browser: Browser
    let world: LargeWorld
    const failed: (readonly string[])[] = []
    /** What pages asked the service for: `GET /api/v1/overview`. */
    const asked = new Set<string>()

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

    async function open(path: string, look: Look = {}): Promise<Page> {
      const { page, errors } = await openPage(browser, look)
      failed.push(errors)
      page.on('request', (request) => {
        const { pathname, origin } = new URL(request.url())
        assert.equal(origin, world.url, 'no other host is asked for anything')
        if (pathname.startsWith('/api/')) asked.add(`${request.method()} ${pathname}`)
      })
      await visit(page, `${world.url}${path}`, worldToken)
      return page
    }

    test('only what is in sight is in the page, wherever one scrolls to', async () => {
      const page = await open('/?sort=name')
      await page.getByText('10,000 applications').waitFor()
      await page.locator('.virtual .app-row').nth(8).waitFor()
      assert.ok((await page.locator('.virtual .app-row').count()) < 60)
      await page.keyboard.press('End')
      await page.getByRole('link', { name: 'app-09999' }).waitFor()
      await page.evaluate('scrollTo(0, document.body.scrollHeight / 2)')
      await page
        .getByRole('link', { name: /app-0(49|50)\d\d/ })
        .first()
        .waitFor()
      assert.ok((await page.locator('.virtual .app-row').count()) < 60)
      await page.context().close()
    })

    test('a row changes the moment that an event comes, and counts follow', async () => {
      const page = await open('/?sort=name')
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('link', { name: 'app-00003' }).waitFor()
      const health = {
        state: 'failed',
        reason: 'the disk is full',
        since: Date.now(),
        isGivenUp: true,
      } as const
      world.service.set('stack:app-00003', { health })
      await page.getByText('the disk is full').waitFor()
      await page.getByRole('button', { name: '1 Failed' }).waitFor()
      await page.getByRole('button', { name: '1 Failed' }).click()
      await page.getByText('1 application', { exact: true }).waitFor()
      world.service.set('stack:app-00003', { health: { ...health, state: 'healthy', reason: '' } })
      await page.getByText('Nothing fits this filter').waitFor()
      await page.context().close()
    })

    test('no row moves under a pointer or away from the focus, and the page says that the order is old', async () => {
      const page = await open('/')
      await page.getByText('Live', { exact: true }).waitFor()
      const rows = page.locator('.virtual .app-row')
      const place = async (name: string): Promise<number> => {
        const top = await rows.filter({ hasText: name }).first().boundingBox()
        return Math.round(top?.y ?? -1)
      }
      const failing = (reason: string) =>
        ({ state: 'failed', reason, since: Date.now(), isGivenUp: true }) as const
      await rows.filter({ hasText: 'app-00002' }).hover()
      const before = await place('app-00002')
      world.service.set('stack:app-00009', { health: failing('the first fault') })
      const refresh = page.getByRole('button', { name: 'The order has changed: refresh' })
      await refresh.waitFor()
      assert.equal(await place('app-00002'), before)
      // the row says so where it stands, and the first sentence names it
      await rows.filter({ hasText: 'the first fault' }).waitFor()
      await page.locator('.verdict').getByRole('link', { name: 'app-00009' }).waitFor()
      await refresh.click()
      await refresh.waitFor({ state: 'detached' })
      assert.match(await rows.first().innerText(), /app-00009/)

      // by the keyboard: the order is held while the focus is in the list, and free when it leaves
      await page.mouse.move(0, 0)
      await page.getByLabel('Select stack:app-00002').focus()
      world.service.set('stack:app-00008', { health: failing('the second fault') })
      await refresh.waitFor()
      assert.equal(await focused(page), 'Select stack:app-00002')
      await page.getByLabel('Search applications').focus()
      await refresh.waitFor({ state: 'detached' })
      await page
        .locator('.virtual-item[aria-posinset="1"], .virtual-item[aria-posinset="2"]')
        .filter({ hasText: 'app-00008' })
        .waitFor()
      for (const name of ['app-00008', 'app-00009']) {
        world.service.set(`stack:${name}`, { health: { ...failing(''), state: 'healthy' } })
      }
      await page.context().close()
    })

    test('the time-line opens where something happened, and is zoomed by keys and buttons', async () => {
      const page = await open('/timeline')
      const band = page.getByRole('group', { name: /^Band from/ })
      await band.waitFor()
      const lengths = (isSo: (length: number) => boolean) =>
        page.waitForURL(({ searchParams }) =>
          isSo(Number(searchParams.get('to')) - Number(searchParams.get('from'))),
        )
      let length = 0
      await band.focus()
      await page.keyboard.press('-')
      await lengths((now) => (length = now) > 0)
      await page.keyboard.press('+')
      await lengths((now) => now > 0 && now < length)
      await page.getByRole('button', { name: 'Zoom out' }).click()
      await lengths((now) => Math.abs(now - length) <= 2)
      await page.context().close()
    })

    test('once through with the keyboard alone', async () => {
      const { page, errors } = await openPage(browser)
      failed.push(errors)
      const keys = page.keyboard
      await page.goto(`${world.url}/?sort=name`)
      await page.getByLabel('Token').waitFor()
      await tabTo(page, 'Token')
      await keys.type(worldToken)
      await keys.press('Enter')
      await page.getByText('10,000 applications').waitFor()
      // the first thing that the Tab key reaches skips the navigation
      await page.evaluate('document.activeElement?.blur()')
      await keys.press('Tab')
      assert.equal(await focused(page), 'Skip to content')
      await keys.press('/')
      await keys.type('app-00007')
      await page.getByText('1 application', { exact: true }).waitFor()
      await tabTo(page, 'Cards')
      await keys.press('Enter')
      await page.locator('.app-card').first().waitFor()
      await tabTo(page, 'Select stack:app-00007')
      await keys.press('Space')
      await page.getByText('1 selected').waitFor()
      // a tick box is nothing to type in
      await keys.press('/')
      await page.locator('.search input:focus').waitFor({ timeout: 5000 })
      await tabTo(page, 'app-00007')
      await keys.press('Enter')
      await page.getByRole('heading', { level: 1, name: 'app-00007' }).waitFor()
      await tabTo(page, 'Tree')
      await keys.press('Enter')
      await page.getByRole('tree').waitFor()
      await tabTo(page, /./, '[role=treeitem]')
      await keys.press('End')
      await keys.press('Home')
      await keys.press('ArrowLeft')
      assert.equal(
        await page.locator('[role=treeitem]').first().getAttribute('aria-expanded'),
        'false',
      )
      await keys.press('ArrowRight')
      await keys.press('ArrowRight')
      await keys.press('Enter')
      await page.getByRole('complementary').waitFor()
      await keys.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      assert.match(await focused(page), /web/)
      await tabTo(page, 'Plan')
      await keys.press('Enter')
      await page.waitForURL('**/plan*')
      await tabTo(page, 'Sync')
      await keys.press('Enter')
      await page.getByRole('dialog').waitFor()
      await keys.press('Escape')
      await page.getByRole('dialog').waitFor({ state: 'detached' })
      assert.equal(await focused(page), 'Sync')
      await keys.press('Enter')
      await page.getByRole('dialog').waitFor()
      await tabTo(page, 'Sync now')
      await keys.press('Enter')
      await page.getByText('Sync: stack:app-00007').waitFor()
      await tabTo(page, 'Dark theme')
      await keys.press('Enter')
      await tabTo(page, 'Log out')
      await keys.press('Enter')
      await page.getByLabel('Token').waitFor()
      await page.context().close()
    })

    for (const look of looks) {
      test(`axe finds nothing wrong on any page: ${JSON.stringify(look)}`, async () => {
        const page = await open('/start', look)
        for (const path of pages) {
          await page.goto(`${world.url}${path}`)
          await page.locator('main h1').first().waitFor({ state: 'attached' })
          await page.locator('.skeleton').first().waitFor({ state: 'detached' })
          assert.deepEqual(await violationsOn(page), [], path)
          assert.equal(
            await page.evaluate('document.documentElement.scrollWidth > innerWidth'),
            false,
            path,
          )
        }
        await page.context().close()
      })
    }

    test('everything that a page asks for is in the OpenAPI document, with the type of its answer', async () => {
      const routes = await describedRoutes(world.url, { authorization: `Bearer ${worldToken}` })
      assert.ok(asked.size > 12, [...asked].join())
      const pressed = [...actions].map((name) => `POST /api/v1/apps/stack%3Aapp-00001/${name}`)
      for (const one of [...asked, ...pressed]) {
        assert.ok(
          routes.some((isIt) => isIt(one)),
          `${one} is not described`,
        )
      }
    })
  },
)
