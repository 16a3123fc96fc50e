/** Buttons that take over, put right and undo, pressed in a real browser: what they would do is shown first. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { violationsOn } from '../testbed/browser.ts'
import { composeOracle, runCompose } from '../testbed/compose-oracle.ts'
import {
  mailText,
  openDashboardWorld,
  shopText,
  type DashboardWorld,
} from '../testbed/dashboard-world.ts'
import { requiredDocker } from '../testbed/docker.ts'
import { required } from '../testbed/packages.ts'

const oracle = composeOracle()

describe(
  'what can be pressed',
  { skip: oracle.skip || requiredDocker() || required('chromium-headless-shell') },
  () => {
    let world: DashboardWorld
    const folder = mkdtempSync(join(tmpdir(), 'tend-adopt-'))

    before(async () => {
      world = await openDashboardWorld()
      await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
    })
    after(async () => {
      const errors = world?.errors() ?? []
      await world?.stop()
      rmSync(folder, { recursive: true, force: true })
      assert.deepEqual(errors, [])
    })

    test('adopt: what docker compose started is shown, taken over, and kept', async () => {
      const env = { ...process.env, DOCKER_HOST: `unix://${world.engine.socket}` }
      mkdirSync(join(folder, 'old'))
      const file = join(folder, 'old/compose.yaml')
      writeFileSync(file, shopText('old'))
      const { status, stderr } = runCompose(oracle, ['-f', file, 'up', '-d'], { env })
      assert.equal(status, 0, stderr)
      const idOf = (name: string) =>
        execFileSync('docker', ['inspect', '-f', '{{.Id}}', name], { env, encoding: 'utf8' })
      const [db, web] = [idOf('old-db-1'), idOf('old-web-1')]
      world.git.commit('Take it over', { 'old/compose.yaml': shopText('new') })
      world.declare({ apps: '  - { stack: old, source: infra, path: old }' })
      await world.serving.until('stack:old', ({ state }) => state === 'failed')

      const page = await world.open('/apps/stack:old')
      await page.getByLabel('More actions').click()
      await page.getByRole('button', { name: 'Adopt' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(/taken over as they are: .*container\/db-1/).waitFor()
      await dialog.getByText(/taken over and made anew: container\/web-1/).waitFor()
      assert.deepEqual(await violationsOn(page), [])
      assert.equal(idOf('old-web-1'), web, 'looking changes nothing')
      await dialog.getByRole('button', { name: 'Adopt now' }).click()
      await page.getByText(/Run \d+ succeeded/).waitFor()
      await page.getByText('Adopt: stack:old').waitFor()
      assert.equal(idOf('old-db-1'), db, 'what is as it should be is kept')
      assert.notEqual(idOf('old-web-1'), web)
      await world.serving.until('stack:old', ({ health }) => health.state === 'healthy')
      // there is nothing of others any more
      await page.reload()
      await page.getByLabel('More actions').click()
      await page.getByRole('button', { name: 'Restart' }).waitFor()
      assert.equal(await page.getByRole('button', { name: 'Adopt' }).count(), 0)
      await page.context().close()
    })

    test('a source that somebody refreshes: the runs that follow say who, refused ones too', async () => {
      const { out } = await world.serving.tend('token create --role admin --name ada')
      const token = /tend_\S+/.exec(out)?.[0]
      assert.ok(token)
      const page = await world.open('/sources', { token })
      async function refreshed(message: string, text: string): Promise<string> {
        world.git.commit(message, { 'shop/compose.yaml': text })
        await page.goto(`${world.serving.url}/sources`)
        await page.getByRole('button', { name: `Refresh ${world.git.bare}` }).click()
        await page.goto(`${world.serving.url}/apps/stack:shop/history`)
        const line = page.getByRole('row').filter({ hasText: message })
        await line.filter({ hasText: /succeeded|refused/i }).waitFor()
        return line.innerText()
      }
      assert.match(await refreshed('Say it to Ada', shopText('ada')), /manual by ada/)
      assert.match(await refreshed('Say nothing', 'services: 3\n'), /manual by ada/)
      // what runs is well, and the list says all the same that somebody has to look
      const list = await world.open('/?search=stack:shop', { token })
      await list.locator('.app-row').getByText('Newest not applied').waitFor()
      assert.match(
        await list.locator('.verdict').innerText(),
        /shop newest not applied .*must be a mapping/s,
      )
      await list.context().close()
      world.git.commit('Begin again', { 'shop/compose.yaml': shopText('hello') })
      await world.serving.tend('sync shop')
      await page.getByRole('row').filter({ hasText: 'Begin again' }).waitFor()
      await page.context().close()
    })

    test('a run that failed is told once, with what to do, the run and what a sync would do', async () => {
      const absent = mailText().replace(/image: .*/, 'image: none.invalid/none:1')
      world.git.commit('Take an image that is not there', { 'mail/compose.yaml': absent })
      await world.serving.tend('sync mail')
      const { health } = await world.serving.until('stack:mail', ({ state }) => state === 'failed')
      assert.equal(health.state, 'healthy', 'what runs is left alone')
      const page = await world.open('/apps/stack:mail')
      const told = page.locator('.app-head .notice', { hasText: 'none.invalid' })
      await told.first().waitFor()
      assert.equal(await told.count(), 1)
      await told.getByText("check the registry's name").waitFor()
      await told.getByRole('link', { name: /^Run \d+$/ }).waitFor()
      await told.getByRole('link', { name: 'What would a sync do?' }).waitFor()
      world.git.commit('Take it back', { 'mail/compose.yaml': mailText() })
      await world.serving.tend('sync mail')
      await told.waitFor({ state: 'detached' })
      await page.context().close()
    })

    test('several go back together, each with its plan shown first', async () => {
      world.git.commit('Change two', {
        'shop/compose.yaml': shopText('two'),
        'old/compose.yaml': shopText('two'),
      })
      await Promise.all([world.serving.tend('sync shop'), world.serving.tend('sync old')])
      for (const key of ['stack:shop', 'stack:old'])
        await world.serving.until(key, ({ synced }) => synced?.message === 'Change two')
      const page = await world.open('/?sort=name')
      await page.getByLabel('Select stack:shop').check()
      await page.getByLabel('Select stack:old').check()
      await page.getByRole('button', { name: 'Roll back' }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText('GREETING').nth(1).waitFor()
      await dialog.getByText('Afterwards it is held there').waitFor()
      await dialog.getByRole('button', { name: 'Roll back', exact: true }).click()
      for (const key of ['stack:shop', 'stack:old'])
        await world.serving.until(
          key,
          ({ lastRun, health }) => lastRun?.trigger === 'rollback' && health.state === 'healthy',
        )
      await page.context().close()
    })

    test('acknowledge: what was changed by hand waits, is put right when somebody presses it, and waits no more', async () => {
      const env = { ...process.env, DOCKER_HOST: `unix://${world.engine.socket}` }
      execFileSync('docker', ['update', '--memory', '64m', '--memory-swap', '64m', 'shop-web-1'], {
        env,
      })
      await world.serving.until('stack:shop', ({ needsAcknowledgement }) => needsAcknowledgement)
      const page = await world.open('/apps/stack:shop')
      await page.getByText('Waits for you').waitFor()
      await page.getByRole('button', { name: 'Acknowledge' }).click()
      await page.getByText('Acknowledge: stack:shop').waitFor()
      await page.getByText('Waits for you').waitFor({ state: 'detached' })
      const limit = ['inspect', '-f', '{{.HostConfig.Memory}}', 'shop-web-1']
      await world.serving.until('stack:shop', ({ sync }) => sync.state === 'synced')
      assert.equal(execFileSync('docker', limit, { env, encoding: 'utf8' }).trim(), '0')
      await page.context().close()
    })

    test('what a role may not do is not there, and is refused to whoever asks all the same', async () => {
      const { out } = await world.serving.tend('token create --role read --name guest')
      const token = out.trim().split('\n')[0] ?? ''
      const page = await world.open('/apps/stack:shop', { token })
      await page.getByText('Read only').waitFor()
      for (const name of ['Sync', 'Suspend', 'Roll back', 'Refresh'])
        assert.equal(await page.getByRole('button', { name, exact: true }).count(), 0, name)
      const status = await page.evaluate<number>(
        `fetch('/api/v1/apps/stack%3Ashop/suspend', { method: 'POST' }).then((answer) => answer.status)`,
      )
      assert.equal(status, 403)
      await page.context().close()
    })

    test('one that is declared no more says so, offers to be forgotten, and nothing that can not work', async () => {
      world.declare({})
      await world.serving.until('stack:old', ({ state, isUndeclared }) => {
        return state === 'missing' && isUndeclared === true
      })
      const list = await world.open('/')
      await list.locator('.app-row', { hasText: 'No longer declared' }).waitFor()
      await list.context().close()
      const page = await world.open('/apps/stack:old')
      await page.getByText('takes it off the lists, and changes nothing that runs').waitFor()
      for (const name of ['Sync', 'Suspend', 'Roll back']) {
        const button = page.getByRole('button', { name, exact: true })
        assert.equal(await button.getAttribute('aria-disabled'), 'true', name)
      }
      assert.deepEqual(await violationsOn(page), [])
      await page.getByRole('button', { name: 'Forget' }).click()
      await page.getByText('Forget: stack:old').waitFor()
      const asked = await world.serving.api('/api/v1/apps/stack:old', { headers: world.own() })
      assert.equal(asked.status, 404)
      await page.context().close()
    })
  },
)
