/** The dashboard's first page in a real browser, on the real service with real Docker. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { openPage, violationsOn } from '../testbed/browser.ts'
import {
  mailText,
  openDashboardWorld,
  shopText,
  type DashboardWorld,
} from '../testbed/dashboard-world.ts'
import { requiredDocker } from '../testbed/docker.ts'
import { required } from '../testbed/packages.ts'
import { servingOn } from '../testbed/serving.ts'

function rowOf(page: Page, name: string): Locator {
  return page
    .locator('.virtual .app-row')
    .filter({ has: page.getByRole('link', { name, exact: true }) })
}

describe('the overview', { skip: requiredDocker() || required('chromium-headless-shell') }, () => {
  let world: DashboardWorld

  before(async () => {
    world = await openDashboardWorld()
    const { serving } = world
    await serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
    await serving.until('stack:broken', ({ health }) => health.state === 'failed')
  })
  after(async () => {
    const errors = world?.errors() ?? []
    await world?.stop()
    assert.deepEqual(errors, [])
  })

  test('nobody comes in without a token, a wrong one says what to do, and leaving ends it', async () => {
    const { page } = await openPage(world.browser)
    await page.goto(`${world.serving.url}/apps/stack:shop`)
    await page.getByLabel('Token').fill('tend_wrong')
    await page.getByRole('button', { name: 'Log in', exact: true }).click()
    await page.getByText('This token is not known here').waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.context().close()
    const inside = await world.open('/apps/stack:shop')
    await inside.getByRole('heading', { name: 'shop' }).waitFor()
    await inside.getByRole('button', { name: 'Log out' }).click()
    await inside.getByLabel('Token').waitFor()
    await inside.reload()
    await inside.getByLabel('Token').waitFor()
    await inside.context().close()
  })

  test('what is broken comes first, with why and since when; tiles count and filter', async () => {
    const page = await world.open('/')
    const rows = page.locator('.virtual .app-row')
    await rows.first().waitFor()
    assert.match(await rows.first().innerText(), /broken[\s\S]*Failed/)
    assert.equal(await rows.count(), 3)
    await page.getByRole('button', { name: '2 Healthy' }).click()
    await page.waitForURL('**/?health=healthy')
    await page.getByText('2 applications').waitFor()
    assert.ok(!(await rows.allInnerTexts()).join().includes('broken'))
    await page.context().close()
  })

  test('search is answered by the service, and any view can be sent as a link', async () => {
    const page = await world.open('/?view=cards&group=kind')
    await page.locator('.app-card').first().waitFor()
    await page.getByLabel('Search applications').fill('Begin mail')
    await page.getByText('1 application', { exact: true }).waitFor()
    assert.match(page.url(), /search=Begin\+mail/)
    const copy = await world.open(page.url().slice(world.serving.url.length))
    await copy.getByText('1 application', { exact: true }).waitFor()
    assert.match(await copy.locator('.app-card').innerText(), /mail/)
    await copy.getByLabel('Search applications').fill('nowhere to be found')
    await copy.getByText('Nothing fits this filter').waitFor()
    await copy.context().close()
    await page.context().close()
  })

  test('events come at once and heed the filter', async () => {
    const suspended = await world.open('/?only=suspended')
    await suspended.getByText('Nothing fits this filter').waitFor()
    const all = await world.open('/')
    await rowOf(all, 'mail').waitFor()
    await world.serving.api('/api/v1/apps/stack%3Amail/suspend', {
      method: 'POST',
      headers: world.own(),
    })
    await rowOf(all, 'mail').getByText('Suspended', { exact: true }).waitFor()
    await rowOf(suspended, 'mail').waitFor()
    await world.serving.api('/api/v1/apps/stack%3Amail/resume', {
      method: 'POST',
      headers: world.own(),
    })
    await suspended.getByText('Nothing fits this filter').waitFor()
    await all.context().close()
    await suspended.context().close()
  })

  test('several are chosen and suspended together, by who may change', async () => {
    const page = await world.open('/')
    await page.getByLabel('Select stack:mail').check()
    await page.getByLabel('Select stack:shop').check()
    const bar = page.getByRole('region', { name: 'Selected applications' })
    await bar.getByRole('button', { name: 'Suspend' }).click()
    await world.serving.until('stack:mail', ({ isSuspended }) => isSuspended)
    await world.serving.until('stack:shop', ({ isSuspended }) => isSuspended)
    await page.getByLabel('Select stack:mail').check()
    await page.getByLabel('Select stack:shop').check()
    await bar.getByRole('button', { name: 'Resume' }).click()
    await world.serving.until('stack:shop', ({ isSuspended }) => !isSuspended)
    const { out } = await world.serving.tend('token create --role read --name guest')
    const guest = await world.open('/', { token: out.trim().split('\n')[0] ?? '' })
    await guest.getByLabel('Select stack:mail').check()
    assert.equal(await guest.getByRole('button', { name: 'Suspend' }).count(), 0)
    await guest.context().close()
    await page.context().close()
  })

  test('a service that is away is said to be, and is back without a reload', async () => {
    const { out } = await world.serving.tend('token create --role admin --name lasting')
    const page = await world.open('/', { token: out.trim().split('\n')[0] ?? '' })
    const local = await world.open('/apps/stack:shop/history')
    for (const one of [page, local]) await one.getByText('Live', { exact: true }).waitFor()
    await world.serving.stop()
    await page.getByText('Not connected to the service').waitFor()
    // one sentence for the whole page, whatever else can't be had
    await local.getByRole('link', { name: 'Plan', exact: true }).click()
    await local.getByText('This is shown when the service is back.').waitFor()
    assert.equal(await local.getByText(/can not be reached/).count(), 0)
    world.git.commit('Greet again', { 'shop/compose.yaml': shopText('again') })
    await world.serving.start()
    // the login is kept by the service: nobody has to come in again
    await page.getByText('Live', { exact: true }).waitFor()
    await page.locator('.app-row', { hasText: 'Greet again' }).first().waitFor()
    await page.context().close()
    // the right of the machine's own login ended with the service: that is said, after a reload too
    for (const again of [false, true]) {
      if (again) await local.reload()
      await local.getByText('Your login as this machine has ended').waitFor()
      await local.getByText('Type tend login on its machine again').waitFor()
    }
    await local.getByLabel('Token').fill(world.own()['authorization']?.split(' ')[1] ?? '')
    await local.getByRole('button', { name: 'Log in', exact: true }).click()
    await local.getByRole('heading', { level: 1, name: 'shop' }).waitFor()
    await local.context().close()
  })

  test('however many come without a login, each of them sees it', async () => {
    for (let count = 0; count < 14; count += 1) {
      const { page } = await openPage(world.browser)
      await page.goto(world.serving.url)
      await page.getByLabel('Token').waitFor()
      await page.context().close()
    }
  })

  test('a row and a card say what it is blocked by, and that something newer is there', async () => {
    const page = await world.open('/')
    world.declare({
      apps: '  - { stack: report, source: infra, path: mail, dependsOn: [stack:broken] }',
    })
    const row = rowOf(page, 'report')
    await row.getByText('Blocked by stack:broken').waitFor()
    assert.match(await row.innerText(), /Nothing applied yet\s+[0-9a-f]{8} would be: /)
    await page.getByLabel('Select stack:mail').check()
    await page.getByRole('button', { name: 'Suspend' }).click()
    await world.serving.until('stack:mail', ({ isSuspended }) => isSuspended)
    world.git.commit('Answer letters', { 'mail/compose.yaml': mailText('90000') })
    await world.serving.api('/api/v1/refresh', { method: 'POST', headers: world.own() })
    await rowOf(page, 'mail').getByText('Update available').waitFor()
    await rowOf(page, 'mail').getByText('Behind', { exact: true }).waitFor()
    const mail = await world.open('/apps/stack:mail/drift')
    await mail
      .getByText('Its source has something newer, which waits until it is resumed')
      .waitFor()
    await mail.getByRole('heading', { name: 'Everything runs as it was applied' }).waitFor()
    await mail.getByRole('link', { name: 'what would a sync do?', exact: true }).waitFor()
    await mail.context().close()
    await page.getByRole('button', { name: 'Cards' }).click()
    const card = (name: string) => page.locator('.app-card').filter({ hasText: name })
    await card('report').getByText('Blocked by stack:broken').waitFor()
    await card('mail').getByText('Update available').waitFor()
    // what is in force is said of one that is not well, too
    const broken = page
      .locator('.app-card')
      .filter({ has: page.getByRole('link', { name: 'broken', exact: true }) })
    assert.match(await broken.innerText(), /Failed[\s\S]*exit code 3[\s\S]*[0-9a-f]{8} A /)
    world.declare({})
    await card('report').waitFor({ state: 'detached' })
    await page.context().close()
  })

  test('the order can be turned round, and groups that are shut are part of the address', async () => {
    const page = await world.open('/?sort=name')
    const rows = page.locator('.virtual .app-row')
    await rows.first().filter({ hasText: 'broken' }).waitFor()
    await page.getByRole('button', { name: 'Turn the order round' }).click()
    await rows.first().filter({ hasText: 'shop' }).waitFor()
    await page.getByLabel('Group by').selectOption('kind')
    await page.getByRole('button', { name: 'stack', exact: true }).click()
    await rows.first().waitFor({ state: 'detached' })
    const copy = await world.open(page.url().slice(world.serving.url.length))
    const head = copy.getByRole('button', { name: 'stack', exact: true })
    await head.waitFor()
    assert.equal(await copy.locator('.virtual .app-row').count(), 0)
    await head.click()
    await copy.locator('.virtual .app-row').nth(2).waitFor()
    await copy.context().close()
    await page.context().close()
  })

  test('axe finds nothing wrong in either theme, in rows and cards, and at 380 px', async () => {
    for (const look of [
      {},
      { theme: 'dark' },
      { width: 380 },
      { theme: 'dark', width: 380 },
    ] as const) {
      const page = await world.open('/', look)
      await rowOf(page, 'shop').waitFor()
      // who is there, whether the page is live, and the way out are on a narrow page too
      await page.getByText('Live', { exact: true }).waitFor()
      await page.getByRole('button', { name: 'Log out' }).waitFor()
      assert.deepEqual(await violationsOn(page), [], JSON.stringify(look))
      await page.getByRole('button', { name: 'Cards' }).click()
      await page.locator('.app-card').first().waitFor()
      assert.deepEqual(await violationsOn(page), [], JSON.stringify(look))
      assert.equal(await page.evaluate('document.documentElement.scrollWidth > innerWidth'), false)
      await page.context().close()
    }
  })

  test('without any application the page says what to do and writes the file', async (t) => {
    const serving = await servingOn({ DOCKER_HOST: `unix://${world.engine.socket}` })
    t.after(() => serving.remove())
    serving.declare('apps: []\n')
    await serving.start()
    const { page } = await openPage(world.browser)
    await page.goto(serving.url)
    await page.getByLabel('Token').fill(readFileSync(`${serving.home}/local-token`, 'utf8').trim())
    await page.keyboard.press('Enter')
    await page.getByRole('heading', { name: 'Nothing is declared yet' }).waitFor()
    await page.getByLabel('Name').fill('on')
    await page.getByLabel('Git address, or a folder').fill(world.git.bare)
    await page.getByLabel('Folder in it').fill('mail')
    await page.getByLabel('Ask every').fill('1h')
    const text = await page.locator('pre[aria-label="tend.yaml"]').innerText()
    assert.match(text, /- stack: "on"/)
    assert.deepEqual(await violationsOn(page), [])
    const download = page.waitForEvent('download')
    await page.getByRole('link', { name: 'Download' }).click()
    assert.equal((await download).suggestedFilename(), 'tend.yaml')
    await page.getByLabel('Ask every').fill('5')
    await page.getByText('Write it like 30s, 5m or 1h30m, or off.').waitFor()
    // the file as it stands there is taken over by the service, and the page shows what it declares
    serving.declare(text)
    const row = page.locator('.virtual .app-row').filter({ hasText: 'Answer letters' })
    await row.getByRole('link', { name: 'on', exact: true }).waitFor()
    await row.getByText('Healthy').waitFor()
    // an edit that is refused is said here, and no more when it is mended
    serving.declare(`${text}colour: blue\n`)
    await page.getByText(/^tend\.yaml was not taken over: .*tend\.yaml:\d+:\d+: .*colour/).waitFor()
    serving.declare(text)
    await page.getByText('was not taken over').waitFor({ state: 'detached' })
    // one more: nothing that would take the place of the file
    await page.getByRole('link', { name: 'Declare another' }).click()
    await page.getByText('what it no longer declares is removed').waitFor()
    assert.equal(await page.getByRole('link', { name: 'Download' }).count(), 0)
    assert.match(await page.locator('pre[aria-label="Under apps"]').innerText(), /- stack: web/)
    assert.doesNotMatch(await page.locator('.first-use').innerText(), /listen:/)
    assert.deepEqual(await violationsOn(page), [])
    await page.context().close()
  })
})
