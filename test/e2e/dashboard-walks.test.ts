/** Questions of an operator, each answered with the page alone, from its first address on, by what stands on it. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { openPage, violationsOn } from '../testbed/browser.ts'
import { openDashboardWorld, shopText, type DashboardWorld } from '../testbed/dashboard-world.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'

/** On both engines in `npm run test:dashboard`. */
const engines = process.env['TEND_DASHBOARD'] === 'all' ? bothEngines : bothEngines.slice(0, 1)

for (const [engine, missing, start] of engines) {
  describe(
    `with the page alone, on ${engine}`,
    { skip: missing || required('chromium-headless-shell') },
    () => {
      let world: DashboardWorld
      let port = 0

      before(async () => {
        world = await openDashboardWorld({ start })
        await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
        await world.serving.until('stack:broken', ({ health }) => health.state === 'failed')
        port = await freePort()
        world.git.commit('Open the shop', { 'shop/compose.yaml': shopText('hello', port) })
        await world.serving.tend('sync shop')
        await world.serving.until(
          'stack:shop',
          ({ health, synced }) => health.state === 'healthy' && synced?.message === 'Open the shop',
        )
      })
      after(async () => {
        const errors = world?.errors() ?? []
        await world?.stop()
        assert.deepEqual(errors, [])
      })

      /** What was committed last, whether or not the walk before went well. */
      const inForce = /Open the shop|Greet warmly/

      /** One question: a page of one's own, closed afterwards. */
      function walk(question: string, answer: (page: Page) => Promise<void>): void {
        test(question, async () => {
          const page = await world.open('/')
          await answer(page)
          await page.context().close()
        })
      }

      async function into(page: Page, name: string): Promise<void> {
        await page.locator('.virtual').getByRole('link', { name, exact: true }).click()
        await page.getByRole('heading', { level: 1, name }).waitFor()
      }

      async function tab(page: Page, name: string): Promise<void> {
        await page
          .getByRole('navigation', { name: 'Parts of the application' })
          .getByRole('link', { name })
          .click()
      }

      test('How do I come in, with the command line alone?', async () => {
        const { out, err, code } = await world.serving.tend('login')
        assert.equal(code, 0, err)
        assert.match(err, /It logs one browser in, within two minutes:/)
        const { page } = await openPage(world.browser)
        await page.goto(out.trim())
        await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor()
        assert.equal(new URL(page.url()).hash, '')
        await page.getByText('Live', { exact: true }).waitFor()
        await page.context().close()
        const asked = await world.serving.tend('login -o json')
        const { url, expiresAt } = JSON.parse(asked.out)
        assert.ok(url.startsWith(`${world.serving.url}/#login=`), url)
        assert.ok(Date.parse(expiresAt) > Date.now())
      })

      walk('Is all as declared and well, and if not: what, since when, why?', async (page) => {
        const verdict = page.locator('.verdict')
        await verdict.waitFor()
        assert.match(await verdict.innerText(), /1 needs you, 2 are well/)
        assert.match(await verdict.innerText(), /broken failed .*: .*(3|stopped|ended)/s)
        await verdict.getByRole('button', { name: 'Show only these' }).click()
        await page.getByText('1 application', { exact: true }).waitFor()
      })

      walk('Which application is broken, and what did it say last?', async (page) => {
        await page.locator('.verdict').getByRole('link', { name: 'broken' }).click()
        await page.getByRole('heading', { level: 1, name: 'broken' }).waitFor()
        await page.getByText('no such database').first().waitFor()
        await tab(page, 'Logs')
        await page.getByLabel('Search the logs').fill('database')
        await page.getByRole('log').locator('mark').first().waitFor()
      })

      walk('Which commit changed this port?', async (page) => {
        await into(page, 'shop')
        await page.getByRole('button', { name: 'Tree' }).click()
        await page.getByRole('treeitem', { name: /^web/ }).click()
        const panel = page.getByRole('complementary')
        await panel.getByRole('link', { name: 'Declared' }).click()
        const lines = panel.getByRole('list', { name: 'Where each field comes from' })
        const line = lines.getByRole('listitem').filter({ hasText: String(port) })
        await line.first().waitFor()
        assert.match(await line.first().innerText(), /shop\/compose\.yaml:\d+/)
        const commit = line.first().locator('.commit-text')
        assert.equal(await commit.getAttribute('title'), 'Open the shop')
        assert.ok(!(await panel.innerText()).includes('planted-secret-text'))
      })

      walk('What would a sync do?', async (page) => {
        await into(page, 'shop')
        await page.getByRole('button', { name: 'Suspend' }).click()
        await page.getByRole('button', { name: 'Resume' }).waitFor()
        world.git.commit('Greet warmly', { 'shop/compose.yaml': shopText('warmly', port) })
        await page.getByRole('button', { name: 'Refresh' }).click()
        await page.getByText('Update available').first().waitFor()
        await tab(page, 'Plan')
        await page.getByText('GREETING').first().waitFor()
        await page.getByText('warmly').first().waitFor()
        await page
          .getByText(/shop\/compose\.yaml:\d+/)
          .first()
          .waitFor()
        await page.getByRole('button', { name: 'Resume' }).click()
        await world.serving.until('stack:shop', ({ synced }) => synced?.message === 'Greet warmly')
        await page.getByText('has changed since').waitFor()
        await page.getByRole('button', { name: 'Plan again' }).click()
        await page.getByText('Nothing to do').waitFor()
      })

      walk('What is in force, by whom, and is there anything newer?', async (page) => {
        await page.getByLabel('Search applications').fill('stack:shop')
        const own = page.getByRole('link', { name: 'shop', exact: true })
        const row = page.locator('.virtual .app-row').filter({ has: own, hasText: inForce })
        await row.waitFor()
        assert.doesNotMatch(await row.innerText(), /Update available/)
        await page.getByRole('link', { name: 'Sources' }).click()
        await page.getByText(inForce).first().waitFor()
        await page.getByText('Last asked').waitFor()
      })

      walk('What waits for what?', async (page) => {
        await into(page, 'mail')
        await page.getByRole('link', { name: 'stack:shop' }).first().waitFor()
        await page.locator('.graph-card').filter({ hasText: 'shop' }).first().waitFor()
      })

      walk('What was changed by hand, and how do I keep it so?', async (page) => {
        const web = docker('ps', '-q', '--filter', 'label=com.docker.compose.service=web')
        if (engine === 'Docker') docker('update', '--memory', '64m', '--memory-swap', '64m', web)
        else docker('network', 'disconnect', 'shop_default', web)
        const field = engine === 'Docker' ? 'mem' : 'networks'
        await world.serving.until('stack:shop', ({ sync }) => sync.state === 'drifted')
        await page.getByText('Waits for you').waitFor()
        await into(page, 'shop')
        await tab(page, 'Drift')
        const ignore = page
          .getByRole('button', {
            name: new RegExp(`^Ignore from now on: ${field}.* of container/web-1`),
          })
          .first()
        await ignore.click()
        const text = await page.getByRole('dialog').getByLabel('Lines for tend.yaml').innerText()
        assert.match(text, /stack: "shop"\n {4}ignore:\n {6}- resource: container\/web-1/)
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'Accept' }).click()
        const written = page.getByRole('list', { name: 'What to write where' })
        const told = new RegExp(`container/web-1[\\s\\S]*${field}[\\s\\S]*: `)
        assert.match(await written.innerText(), told)
        assert.match(
          await page.getByRole('dialog').getByLabel('Lines for tend.yaml').innerText(),
          /stack: "shop"\n {4}drift: ignore/,
        )
        assert.deepEqual(await violationsOn(page), [])
        await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
        await page.getByRole('button', { name: 'Put right' }).click()
        await page.getByText('Everything runs as it was applied').waitFor()
      })

      walk('What changed before this broke?', async (page) => {
        await into(page, 'broken')
        await page.getByRole('link', { name: 'What changed before this?' }).first().click()
        await page.getByRole('heading', { name: 'What changed before this broke?' }).waitFor()
        await page
          .getByText(/stack:shop/)
          .first()
          .waitFor()
        await page
          .getByText(/run 1 \(start-up\)/)
          .first()
          .waitFor()
      })

      walk('How do I go back, and what holds it there?', async (page) => {
        await into(page, 'shop')
        await page.getByRole('button', { name: 'Roll back' }).click()
        const dialog = page.getByRole('dialog')
        await dialog.getByText('GREETING').first().waitFor()
        await dialog.getByText('Afterwards it is held there').waitFor()
        await dialog.getByRole('button', { name: 'Roll back' }).click()
        await page.getByText('somebody went back to an earlier run').first().waitFor()
        await page.getByText('a new commit that changes it, or a sync by hand').first().waitFor()
      })

      walk('Who did what, and when?', async (page) => {
        await page.getByRole('link', { name: 'Timeline' }).click()
        await page.getByRole('button', { name: 'Pressed' }).click()
        await page
          .getByText(/rollback/)
          .first()
          .waitFor()
        assert.match(await page.locator('.entries').innerText(), /this machine/)
      })

      walk('Where does it run, and does that machine answer?', async (page) => {
        await page.getByRole('link', { name: 'Targets' }).click()
        const line = page.getByRole('row').filter({ hasText: `${engine.toLowerCase()}.sock` })
        await line.getByText('Reachable').waitFor()
        // what it is, it says itself, a moment later
        const about = new RegExp(`${engine.toLowerCase()} \\d+\\.\\d+`)
        await line.filter({ hasText: about }).waitFor()
        await line.getByRole('link').first().click()
        await page.getByText('3 applications').waitFor()
      })

      function docker(...words: readonly string[]): string {
        const env = { ...process.env, DOCKER_HOST: `unix://${world.engine.socket}` }
        return execFileSync('docker', words, { env, encoding: 'utf8' }).trim()
      }
    },
  )
}
