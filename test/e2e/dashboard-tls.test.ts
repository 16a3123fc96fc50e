/** The dashboard over TLS: HAProxy before it with the lines of docs/dashboard.md, a real certificate, a real browser. */
import assert from 'node:assert/strict'
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser } from 'playwright-core'
import { filesBelow } from '#cli/service/dashboard-files.ts'
import { openBrowser, openPage, visit } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { systemClock } from '../testbed/drive.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { waitFor } from '../testbed/serving.ts'
import { startWorld, worldToken, type World } from './server-world.ts'

describe(
  'the dashboard over TLS',
  { skip: required('chromium-headless-shell') || required('haproxy') },
  () => {
    const folder = mkdtempSync(join(tmpdir(), 'tend-tls-'))
    let browser: Browser
    let world: World
    let proxy: ChildProcess
    let url = ''

    before(async () => {
      await provideDashboard()
      browser = await openBrowser()
      world = await startWorld({ dashboard: filesBelow('web/dist'), clock: systemClock })
      const port = await freePort()
      const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')]
      const made = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-days', '2']
      const named = ['-subj', '/CN=localhost', '-keyout', key, '-out', cert]
      execFileSync('openssl', [...made, ...named], { stdio: 'ignore' })
      const pair = join(folder, 'tend.pem')
      writeFileSync(pair, readFileSync(cert, 'utf8') + readFileSync(key, 'utf8'))
      const lines = /```haproxy\n([^]*?)```/.exec(readFileSync('docs/dashboard.md', 'utf8'))?.[1]
      assert.ok(lines)
      const settings = lines
        .replace('bind :443', `bind 127.0.0.1:${port}`)
        .replace('/etc/haproxy/tend.pem', pair)
        .replace('127.0.0.1:8080', `127.0.0.1:${world.served.address.port}`)
      const file = join(folder, 'haproxy.cfg')
      writeFileSync(file, settings)
      execFileSync('haproxy', ['-c', '-f', file], { stdio: 'pipe' })
      proxy = spawn('haproxy', ['-db', '-f', file], { stdio: 'ignore' })
      url = `https://localhost:${port}`
    })
    after(async () => {
      proxy?.kill()
      await browser?.close()
      await world?.served.close()
      rmSync(folder, { recursive: true, force: true })
    })

    test('one logs in, the cookie is for this host over TLS alone, and the page is live', async () => {
      const { page } = await openPage(browser, { trustsAll: true })
      const context = page.context()
      await waitFor(() =>
        page.goto(url).then(
          () => true,
          () => false,
        ),
      )
      await visit(page, url, worldToken)
      await page.getByText('2 applications', { exact: true }).waitFor()
      const [cookie, ...others] = await context.cookies()
      assert.deepEqual(others, [])
      assert.equal(cookie?.name, '__Host-tend_session')
      assert.deepEqual([cookie.secure, cookie.httpOnly, cookie.sameSite], [true, true, 'Strict'])
      await page.getByText('Live', { exact: true }).waitFor()
      // an event comes through at once, and so does what is pressed
      world.service.set('stack:web', { isSuspended: true })
      await page.locator('.app-row').getByText('Suspended', { exact: true }).waitFor()
      await page.getByLabel('Select stack:web').check()
      await page.getByRole('button', { name: 'Resume' }).click()
      await page.getByText('Resume: stack:web').waitFor()
      await context.close()
    })
  },
)
