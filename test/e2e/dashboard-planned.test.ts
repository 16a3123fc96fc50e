/** The plan before it is pressed, in a real browser: it is of what the source has now, and what is run is exactly that. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOn } from '../testbed/browser.ts'
import {
  mailText,
  openDashboardWorld,
  shopText,
  type DashboardWorld,
} from '../testbed/dashboard-world.ts'
import { requiredDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { required } from '../testbed/packages.ts'

describe(
  'the plan before it is pressed',
  { skip: requiredDocker() || required('chromium-headless-shell') },
  () => {
    let world: DashboardWorld
    let signed: Bench
    const keys = mkdtempSync(join(tmpdir(), 'tend-keys-'))

    function signWith(name: string): string {
      const key = join(keys, name)
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', name, '-f', key])
      signed.git('config', 'gpg.format', 'ssh')
      signed.git('config', 'user.signingkey', key)
      signed.git('config', 'commit.gpgsign', 'true')
      return readFileSync(`${key}.pub`, 'utf8').trim()
    }

    before(async () => {
      signed = gitBench({ author: 'Alice' })
      const alice = signWith('alice')
      signed.commit('Signed by me', { 'post/compose.yaml': mailText() })
      world = await openDashboardWorld({
        declared: {
          sources: `  signed: { git: "${signed.bare}", ref: main, verify: { ssh: [${JSON.stringify(alice)}] } }`,
          apps: `  - { stack: post, source: signed, path: post }`,
        },
      })
      await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
      await world.serving.until('stack:post', ({ health }) => health.state === 'healthy')
    })
    after(async () => {
      const errors = world?.errors() ?? []
      await world?.stop()
      signed?.remove()
      rmSync(keys, { recursive: true, force: true })
      assert.deepEqual(errors, [])
    })

    /** To be looked at, as those of every page. */
    async function picture(page: Page, name: string): Promise<void> {
      mkdirSync('shots', { recursive: true })
      await page.screenshot({ path: `shots/${name}.png` })
    }

    async function lastRun(key: string): Promise<number | undefined> {
      return (await world.serving.until(key, () => true)).lastRun?.number
    }

    test('a commit that nobody read yet is planned, nothing runs because of it, and it is what is run', async () => {
      const before = await lastRun('stack:shop')
      const second = world.git.commit('Say it twice', { 'shop/compose.yaml': shopText('twice') })
      const page = await world.open('/apps/stack:shop')
      await page.getByRole('button', { name: 'Sync', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByText(second.slice(0, 7)).first().waitFor()
      await dialog.getByText('what its source has now').waitFor()
      await dialog.getByText('twice').first().waitFor()
      assert.deepEqual(await violationsOn(page), [])
      assert.equal(await lastRun('stack:shop'), before, 'looking changes nothing')

      // somebody pushes while the dialog is open
      const third = world.git.commit('Say it thrice', { 'shop/compose.yaml': shopText('thrice') })
      await dialog.getByRole('button', { name: 'Sync now' }).focus()
      await page.keyboard.press('Enter')
      const [now, before12] = [third, second].map((one) => one.slice(0, 12))
      await dialog.getByText(`has ${now} now, and the plan is of ${before12}.`).waitFor()
      await dialog.getByText('Nothing was done. This is what Sync would do now.').waitFor()
      await dialog.getByText(third.slice(0, 7)).first().waitFor()
      await dialog.getByText('thrice').first().waitFor()
      await picture(page, 'planned-newer')
      const focused = await page.evaluate<string>('document.activeElement.textContent')
      assert.equal(focused, 'Sync now', 'the focus stays on the button')
      assert.deepEqual(await violationsOn(page), [])
      assert.equal(await lastRun('stack:shop'), before, 'what was not seen was not run')
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      await dialog.waitFor({ state: 'detached' })
      await world.serving.until(
        'stack:shop',
        ({ synced, state }) => state === 'synced' && synced?.revision === third,
      )
      await page.context().close()
    })

    test('a plan by its address is run as it stands there, or not at all', async () => {
      world.git.commit('By its address', { 'mail/compose.yaml': mailText('5000') })
      const page = await world.open('/apps/stack:mail/plan')
      await page.getByRole('link', { name: 'Open by itself' }).click()
      await page.getByRole('heading', { name: 'Plan for stack:mail' }).waitFor()
      await page.getByText('5000').first().waitFor()
      world.git.commit('Something else', { 'mail/compose.yaml': mailText('6000') })
      // pressed twice, it is asked for once
      const asked: string[] = []
      page.on('request', (request) => asked.push(`${request.method()} ${request.url()}`))
      await page.getByRole('button', { name: 'Sync', exact: true }).dblclick()
      await page.getByText('Nothing was done with stack:mail. Plan again').waitFor()
      await page.getByText(/ now, and the plan is of /).waitFor()
      assert.equal(asked.filter((one) => /^POST .*\/sync$/.test(one)).length, 1, asked.join('\n'))
      await page.getByRole('button', { name: 'Plan again' }).click()
      await page.getByText('6000').first().waitFor()
      await page.context().close()
    })

    test('several at once: counts of all, each with its own plan, and the same rule', async () => {
      world.git.commit('Both', {
        'shop/compose.yaml': shopText('both'),
        'mail/compose.yaml': mailText('7000'),
      })
      const page = await world.open('/?sort=name')
      for (const name of ['mail', 'post', 'shop']) {
        await page.getByLabel(`Select stack:${name}`).check()
      }
      const bar = page.getByRole('region', { name: 'Selected applications' })
      await bar.getByRole('button', { name: 'Sync', exact: true }).click()
      const dialog = page.getByRole('dialog')
      await dialog.getByRole('heading', { name: 'Sync 3 applications' }).waitFor()
      await dialog.getByText('2 of 3 would change.').waitFor()
      await dialog.getByText(/^Replace 2$/).waitFor()
      await dialog
        .locator('summary', { hasText: 'stack:post' })
        .getByText('nothing to do')
        .waitFor()
      await dialog.getByText('7000').first().waitFor()
      await picture(page, 'planned-several')
      assert.deepEqual(await violationsOn(page), [])
      const late = world.git.commit('Only the shop', { 'shop/compose.yaml': shopText('late') })
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      // both come from the repository that moved on: neither was run, the third one was
      await dialog.getByRole('heading', { name: 'Sync 2 applications' }).waitFor()
      await dialog.getByText(`has ${late.slice(0, 12)} now, and the plan is of `).waitFor()
      await dialog.getByText('late').first().waitFor()
      await dialog.getByRole('button', { name: 'Sync now' }).click()
      await dialog.waitFor({ state: 'detached' })
      await bar.waitFor({ state: 'detached' })
      for (const key of ['stack:shop', 'stack:mail']) {
        await world.serving.until(
          key,
          ({ desired, state }) => state === 'synced' && desired?.revision === late,
        )
      }
      await page.context().close()
    })

    test('a source that can not be reached is said, and what was read last is planned and run', async () => {
      renameSync(world.git.bare, `${world.git.bare}-away`)
      try {
        const page = await world.open('/apps/stack:shop')
        await page.getByRole('button', { name: 'Sync', exact: true }).click()
        const dialog = page.getByRole('dialog')
        await dialog
          .getByText('which was read last: what its source has now can not be had')
          .waitFor()
        await dialog.getByText('Nothing to do').waitFor()
        assert.deepEqual(await violationsOn(page), [])
        await dialog.getByRole('button', { name: 'Sync now' }).click()
        await dialog.waitFor({ state: 'detached' })
        await page.getByText('Nothing was to be done').waitFor()
        await page.context().close()
      } finally {
        renameSync(`${world.git.bare}-away`, world.git.bare)
      }
    })

    test('a commit that is refused for its signature is said by each application of the source', async () => {
      signWith('mallory')
      const foreign = signed.commit('By a stranger', { 'post/compose.yaml': mailText('9000') })
      const { out } = await world.serving.tend('sync post')
      assert.doesNotMatch(out, /9000/)
      await world.serving.until('stack:post', ({ refused, state }) => {
        return refused?.revision === foreign && state === 'synced'
      })
      const page = await world.open('/?search=stack:post')
      const row = page.locator('.virtual .app-row', { hasText: 'post' })
      await row.getByText('Newest not applied').waitFor()
      const why = row.getByText(/^not signed with a key under verify, but with the ED25519 key/)
      await why.waitFor()
      assert.ok((await why.getAttribute('title'))?.startsWith(`${signed.bare}: the commit `))
      // read at 1280 px, beside the flag: why, and not where
      const { width = 0 } = (await why.boundingBox()) ?? {}
      assert.ok(width > 100, String(width))
      await picture(page, 'planned-refused-row')
      assert.match(await page.locator('.verdict').innerText(), /post newest not applied .*SHA256:/s)
      await row.getByRole('link', { name: 'post' }).click()
      const notice = page.locator('.app-head .notice', { hasText: foreign.slice(0, 7) })
      await notice.getByText('What was applied before stays').waitFor()
      await notice
        .getByText(/not signed with a key under verify, but with the ED25519 key SHA256:/)
        .waitFor()
      await notice.getByText(/Refused since/).waitFor()
      await picture(page, 'planned-refused')
      await page.getByText('Healthy', { exact: true }).first().waitFor()
      assert.deepEqual(await violationsOn(page), [])
      // the plan says of what it is, and why it is not of the newest
      await page.getByRole('button', { name: 'Sync', exact: true }).click()
      await page.getByRole('dialog').getByText('which was read last').waitFor()
      await page.context().close()
    })
  },
)
