/** The page of an application in a real browser: its resources, what differs and why, plans, runs, and going back. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOn } from '../testbed/browser.ts'
import { openDashboardWorld, shopText, type DashboardWorld } from '../testbed/dashboard-world.ts'
import { requiredDocker } from '../testbed/docker.ts'
import { required } from '../testbed/packages.ts'

const shop = '/apps/stack:shop'

describe(
  'the page of an application',
  { skip: requiredDocker() || required('chromium-headless-shell') },
  () => {
    let world: DashboardWorld

    before(async () => {
      world = await openDashboardWorld()
      await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
      await world.serving.until('stack:broken', ({ health }) => health.state === 'failed')
      world.git.commit('Greet the guests', { 'shop/compose.yaml': shopText('welcome') })
      await world.serving.tend('sync shop')
      await world.serving.until(
        'stack:shop',
        ({ health, synced }) =>
          health.state === 'healthy' && synced?.message === 'Greet the guests',
      )
    })
    after(async () => {
      const errors = world?.errors() ?? []
      await world?.stop()
      assert.deepEqual(errors, [])
    })

    async function graphOf(page: Page): Promise<readonly string[]> {
      await page.locator('.graph-card').first().waitFor()
      return page.locator('.graph-card').allInnerTexts()
    }

    test('the graph shows every resource and what waits for it in other applications', async () => {
      const page = await world.open(shop)
      const cards = (await graphOf(page)).join('\n')
      for (const name of ['db-1', 'web-1', 'data'])
        assert.match(cards, new RegExp(`^${name}$`, 'm'))
      assert.match(cards, /application · stack\nmail/)
      // what is opened takes room from the graph, and what was pressed stays in sight
      const pressed = page.locator('.graph-card').filter({ hasText: 'web-1' })
      await pressed.click()
      await page.getByRole('complementary').waitFor()
      await page.waitForFunction(`(() => {
        const edge = (name) => document.querySelector(name)?.getBoundingClientRect().right
        return edge('.graph-card.chosen') <= edge('.graph-frame')
      })()`)
      await page.context().close()
    })

    test('which application is broken, since when and why: one look and one click', async () => {
      const page = await world.open('/')
      await page.getByRole('link', { name: 'broken' }).first().click()
      await page.getByRole('heading', { name: 'broken' }).waitFor()
      await page
        .getByText(/ended with 3|exit(ed)? .*3/)
        .first()
        .waitFor()
      await page.getByText('no such database').first().waitFor()
      // where it failed, with what that step wrote last
      await page.goto(`${world.serving.url}/apps/stack:broken/history?run=1`)
      const steps = page.getByRole('list', { name: 'Steps' })
      await steps
        .getByLabel('Last lines of container/api-1')
        .getByText('no such database')
        .waitFor()
      await page.context().close()
    })

    test('what a resource is declared as, with file, line and commit; secrets are masked', async () => {
      const page = await world.open(`${shop}?as=tree`)
      const tree = page.getByRole('tree', { name: 'Resources' })
      await tree.getByRole('treeitem', { name: /^web/ }).click()
      const panel = page.getByRole('complementary')
      await panel.getByText(/shop\/compose\.yaml:\d+/).waitFor()
      await panel.getByRole('link', { name: 'Declared' }).click()
      await panel.getByText('GREETING: welcome').waitFor()
      const text = await panel.innerText()
      assert.ok(!text.includes('planted-secret-text'), text)
      await page.context().close()
    })

    test('the tree goes by arrows, and says what a run does while it goes on', async () => {
      const page = await world.open(`${shop}?as=tree`)
      const items = page.getByRole('treeitem')
      await items.first().waitFor()
      await items.first().focus()
      await page.keyboard.press('End')
      await page.keyboard.press('Home')
      const lines = await items.count()
      for (let moved = 0; moved < lines; moved += 1) {
        const at = await page.evaluate<string>('document.activeElement?.textContent ?? ""')
        if (at.startsWith('web')) break
        await page.keyboard.press('ArrowDown')
      }
      await page.keyboard.press('Enter')
      await page.getByRole('complementary').waitFor()
      await page.keyboard.press('Escape')
      await page.getByRole('complementary').waitFor({ state: 'detached' })
      const slow = shopText('hello again').replace('interval: 1s', 'interval: 1s, start_period: 1s')
      world.git.commit('Greet again', { 'shop/compose.yaml': slow })
      const plan = await world.open(`${shop}/plan`)
      await plan.getByText(/Made/).waitFor()
      await page.getByRole('button', { name: 'Sync', exact: true }).click()
      await page.getByRole('dialog').getByText('what its source has now').waitFor()
      await page.getByRole('button', { name: 'Sync now' }).click()
      await page.getByText(/Run \d+ goes on|Run \d+ succeeded/).waitFor()
      await page.getByText(/Run \d+ succeeded/).waitFor()
      // the plan beside it says that it is over
      await plan.getByText('has changed since').waitFor()
      await plan.getByRole('button', { name: 'Plan again' }).click()
      await plan.getByText('Nothing to do').waitFor()
      await plan.context().close()
      await page.context().close()
    })

    test('the graph says live what a run does, where it fails, and that it goes back', async () => {
      const page = await world.open(shop)
      await graphOf(page)
      await page.evaluate(`(() => {
        globalThis.seen = new Set()
        const look = () => { for (const one of document.querySelectorAll('.graph-step')) globalThis.seen.add(one.textContent) }
        new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
      })()`)
      const unwell = shopText('never').replace(
        '[CMD, "true"], interval: 1s',
        '[CMD, "false"], interval: 1s, retries: 2',
      )
      world.git.commit('Never well', { 'shop/compose.yaml': unwell })
      await page.getByRole('button', { name: 'Sync', exact: true }).click()
      await page.getByRole('button', { name: 'Sync now' }).click()
      await page.getByText(/Run \d+ failed, rolled back/).waitFor()
      const seen = await page.evaluate<readonly string[]>('[...globalThis.seen]')
      for (const words of [
        /^Replacing|^Creating/,
        /Waiting for health/,
        /healthy|health/,
        /Rolled back/,
      ])
        assert.ok(
          seen.some((text) => words.test(text)),
          `${words}: ${seen.join(' | ')}`,
        )
      // what holds it there, and what lets it go on
      await page
        .getByText('What lets it go on: a new commit that changes it, or a sync by hand.')
        .waitFor()
      world.git.commit('Well again', { 'shop/compose.yaml': shopText('hello again') })
      await world.serving.tend('sync shop')
      await world.serving.until(
        'stack:shop',
        ({ synced, health }) => synced?.message === 'Well again' && health.state === 'healthy',
      )
      await page.context().close()
    })

    test('drift is told field by field, and put right', async () => {
      docker('container', 'stop', '-t', '0', containerOf('web'))
      await world.serving.until(
        'stack:shop',
        ({ needsAcknowledgement, sync }) => needsAcknowledgement || sync.state === 'drifted',
      )
      const page = await world.open(`${shop}/drift`)
      await page.getByRole('link', { name: /container\/web/ }).waitFor()
      await page.getByRole('button', { name: 'Put right' }).click()
      await page.getByText('Everything runs as it was applied').waitFor()
      await page.context().close()
    })

    test('every run with its steps over time; going back shows its plan first', async () => {
      const page = await world.open(`${shop}/history`)
      const lines = page.locator('tbody tr')
      await lines.first().waitFor()
      const before = await lines.count()
      assert.ok(before >= 2)
      // who, why, which commit, how long
      const asked = lines.filter({ hasText: 'Greet the guests' }).first()
      assert.match(await asked.innerText(), /manual by this machine/)
      assert.match(await asked.innerText(), /\d (ms|s)/)
      await asked.getByRole('link').first().click()
      await page.getByText(/^manual by this machine, [0-9a-f]{8}, /).waitFor()
      await page.goBack()
      await page.getByRole('link', { name: '1', exact: true }).click()
      await page.getByRole('list', { name: 'Steps' }).getByText('container/db').first().waitFor()
      assert.match(await page.getByRole('list', { name: 'Steps' }).innerText(), /waited for/)
      await page.goBack()
      await page.getByLabel('Choose run 1').check()
      await page.getByLabel('Choose run 2').check()
      await page.getByRole('button', { name: 'Compare 1 and 2' }).click()
      await page
        .getByRole('region', { name: 'Two runs compared' })
        .getByText('container/web')
        .waitFor()
      await page.goBack()
      await page.getByRole('button', { name: 'Roll back to run 1' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('GREETING').first().waitFor()
      await dialog.getByText('hello').first().waitFor()
      await dialog.getByRole('button', { name: 'Roll back' }).click()
      await page.getByText(/Run \d+ succeeded/).waitFor()
      await page.getByText('somebody went back to an earlier run').first().waitFor()
      await page.context().close()
    })

    test('logs of all containers in one, with times, searched by the service, paused, and followed through a restart', async () => {
      const page = await world.open(`${shop}/logs`)
      const log = page.getByRole('log')
      await log.getByText('hello from the shop').first().waitFor()
      await log.getByText('the database is ready').first().waitFor()
      assert.match(await log.locator('time').first().innerText(), /^\d\d:\d\d:\d\d/)
      await page.getByRole('button', { name: 'Times' }).click()
      assert.equal(await log.locator('time').count(), 0)
      await page.getByLabel('Search the logs').fill('DATABASE')
      await log.locator('mark').first().waitFor()
      assert.ok(!(await log.innerText()).includes('hello from the shop'))
      await page.waitForURL(/find=DATABASE/)
      const copy = await world.open(page.url().slice(world.serving.url.length))
      await copy.getByRole('log').locator('mark').first().waitFor()
      assert.ok(!(await copy.getByRole('log').innerText()).includes('hello from the shop'))
      await copy.context().close()
      await page.getByRole('button', { name: 'Pause' }).click()
      await page.getByText('Paused').waitFor()
      const before = await log.locator('mark').count()
      // what is written meanwhile waits, and is not lost
      docker('restart', '-t', '0', containerOf('db'))
      await page.getByRole('button', { name: /^Go on \(\d+\)/ }).waitFor()
      assert.equal(await log.locator('mark').count(), before)
      await page.getByRole('button', { name: /^Go on/ }).click()
      await log.locator('mark').nth(before).waitFor()
      await page.context().close()
    })

    test('what happened to one resource stands beside it', async () => {
      const query = 'resource=container%2Fdb-1&part=events'
      const page = await world.open(`${shop}?${query}`)
      const panel = page.getByRole('complementary', { name: 'Resource container/db-1' })
      await panel.locator('.entries .entry').first().waitFor()
      assert.match(await panel.locator('.entries').innerText(), /run \d+|healthy|running|drift/i)
      await page.context().close()
    })

    test('a plan has an address that a colleague opens', async () => {
      world.git.commit('Greet softly', { 'shop/compose.yaml': shopText('softly') })
      await world.serving.api('/api/v1/refresh', { method: 'POST', headers: world.own() })
      const page = await world.open(`${shop}/plan`)
      await page.getByText(/Made/).waitFor()
      await page.getByRole('link', { name: 'Open by itself' }).click()
      await page.waitForURL('**/plans/*')
      const colleague = await world.open(new URL(page.url()).pathname)
      await colleague.getByRole('heading', { name: 'Plan for stack:shop' }).waitFor()
      assert.deepEqual(await violationsOn(colleague), [])
      await colleague.context().close()
      await page.context().close()
    })

    function docker(...words: readonly string[]): string {
      const env = { ...process.env, DOCKER_HOST: `unix://${world.engine.socket}` }
      return execFileSync('docker', words, { env, encoding: 'utf8' }).trim()
    }

    function containerOf(service: string): string {
      return docker('ps', '-q', '--filter', `label=com.docker.compose.service=${service}`)
    }
  },
)
