/** Into the dashboard through a real OpenID Connect provider, and by a link of `tend login`, in a real browser. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { filesBelow } from '#cli/service/dashboard-files.ts'
import type { LoginDeclared } from '#model/login.ts'
import { openBrowser, openPage } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { systemClock } from '../testbed/drive.ts'
import { startProvider, type TestProvider } from '../testbed/oidc.ts'
import { required } from '../testbed/packages.ts'
import { startWorld, worldToken, type World } from './server-world.ts'

describe('coming into the dashboard', { skip: required('chromium-headless-shell') }, () => {
  let browser: Browser
  let world: World
  let provider: TestProvider
  /** Where it is and who logs people in is known when both have started. */
  let login: LoginDeclared = {
    issuer: 'http://127.0.0.1:9',
    clientId: 'tend',
    clientSecret: { variable: 'CLIENT' },
    address: 'http://127.0.0.1:9',
    scopes: ['openid', 'email', 'groups'],
    groupsClaim: 'groups',
    duration: 3_600_000,
    roles: [{ group: 'guests', role: 'read', apps: ['stack:web'] }],
  }

  before(async () => {
    await provideDashboard()
    browser = await openBrowser()
    world = await startWorld({
      dashboard: filesBelow('web/dist'),
      secrets: { CLIENT: 'planted-client-secret' },
      clock: systemClock,
      login: () => login,
    })
    const address = world.served.address.url
    provider = await startProvider(
      { olga: { name: 'olga@example.org', groups: ['guests'] } },
      { id: 'tend', secret: 'planted-client-secret', callback: `${address}/login/callback` },
    )
    login = { ...login, issuer: provider.issuer, address }
  })
  after(async () => {
    await browser?.close()
    await world?.served.close()
    await provider?.stop()
  })

  test('through the provider of the house, back to the page that was asked for, with the rights of the group', async () => {
    const { page } = await openPage(browser)
    await page.goto(`${world.served.address.url}/apps/stack:web`)
    await page.getByRole('link', { name: 'Log in with your organisation' }).click()
    await page.locator('input[name=login]').fill('olga')
    await page.locator('input[name=password]').fill('any')
    await page.locator('button[type=submit]').click()
    await page.locator('button[type=submit]').click()
    await page.getByRole('heading', { level: 1, name: 'web' }).waitFor()
    await page.getByText('olga@example.org').waitFor()
    await page.getByText('Read only').waitFor()
    // a native EventSource: the cookie alone opens the stream
    await page.getByText('Live', { exact: true }).waitFor()
    const cookies = await page.context().cookies(world.served.address.url)
    const cookie = cookies.find(({ name }) => name === 'tend_session')
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite], [true, 'Strict'])
    assert.equal(await page.evaluate('document.cookie'), '')
    await page.context().close()
  })

  test('by a link that works once and leaves the address', async () => {
    const headers = { authorization: `Bearer ${worldToken}` }
    const { json } = await world.ask('POST', '/api/v1/session/link', { headers })
    const url = `${world.served.address.url}/sources#login=${json.code}`
    const { page } = await openPage(browser)
    await page.goto(url)
    await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    assert.ok(!page.url().includes('login='))
    await page.context().close()
    const { page: second } = await openPage(browser)
    await second.goto(url)
    await second.getByText('This link was used already, or is too old.').waitFor()
    // whoever sees that page asks for another link, and puts it into the same tab: only what is behind the # changes
    const { json: another } = await world.ask('POST', '/api/v1/session/link', { headers })
    await second.goto(`${world.served.address.url}/sources#login=${another.code}`)
    await second.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
    assert.ok(!second.url().includes('login='))
    await second.context().close()
  })
})
