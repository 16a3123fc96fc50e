/** Everything over time, and where it comes from: all kinds of entries on the band, and sources with their signatures and faults. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
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
import { webStandIn, type WebStandIn } from '../testbed/web-stand-in.ts'

describe(
  'time-line and sources',
  { skip: requiredDocker() || required('chromium-headless-shell') },
  () => {
    let world: DashboardWorld
    let hook: WebStandIn
    let signed: Bench
    const keys = mkdtempSync(join(tmpdir(), 'tend-keys-'))

    before(async () => {
      const key = join(keys, 'alice')
      execFileSync('ssh-keygen', ['-q', '-t', 'ed25519', '-N', '', '-C', 'alice', '-f', key])
      signed = gitBench({ author: 'Alice' })
      for (const [name, value] of [
        ['gpg.format', 'ssh'],
        ['user.signingkey', key],
        ['commit.gpgsign', 'true'],
      ] as const)
        signed.git('config', name, value)
      signed.commit('Signed by me', { 'post/compose.yaml': mailText() })
      hook = await webStandIn()
      world = await openDashboardWorld({
        declared: {
          sources: `  signed: { git: "${signed.bare}", ref: main, verify: { ssh: [${JSON.stringify(readFileSync(`${key}.pub`, 'utf8').trim())}] } }
  lost: { git: "${join(keys, 'nowhere.git')}", ref: main }`,
          apps: `  - { stack: post, source: signed, path: post }
  - { stack: gone, source: lost, path: gone }`,
          rest: `alerts: { failures: 1, after: 1s, channels: [{ kind: webhook, url: "${hook.url}/hook" }] }`,
        },
      })
      await world.serving.until('stack:mail', ({ sync }) => sync.state === 'synced')
      await world.serving.until('stack:post', ({ health }) => health.state === 'healthy')
      await world.serving.until('stack:broken', ({ health }) => health.state === 'failed')
    })
    after(async () => {
      const errors = world?.errors() ?? []
      await world?.stop()
      await hook?.close()
      signed?.remove()
      rmSync(keys, { recursive: true, force: true })
      assert.deepEqual(errors, [])
    })

    test('commits, presses, runs, drift, health and alerts stand on one band', async () => {
      const { serving, engine, git } = world
      git.commit('Greet the guests', { 'shop/compose.yaml': shopText('welcome') })
      await serving.tend('sync shop')
      await serving.until('stack:shop', ({ synced, health }) => {
        return synced?.message === 'Greet the guests' && health.state === 'healthy'
      })
      await serving.api('/api/v1/apps/stack%3Amail/suspend', {
        method: 'POST',
        headers: world.own(),
      })
      const env = { ...process.env, DOCKER_HOST: `unix://${engine.socket}` }
      execFileSync('docker', ['rm', '-f', 'shop-web-1'], { env, stdio: 'pipe' })
      await serving.until('stack:shop', ({ needsAcknowledgement }) => needsAcknowledgement)
      const page = await world.open('/timeline?last=900000')
      const entries = page.locator('.entries .entry')
      for (const [lane, words] of [
        ['Commits', /Greet the guests/],
        ['Pressed', /suspend/],
        ['Runs', /stack:shop[\s\S]*run 1/],
        ['Drift', /stack:shop/],
        ['Health', /stack:broken/],
        ['Alerts', /stack:broken/],
      ] as const) {
        const filter = page.getByRole('group', { name: 'What' }).getByRole('button', { name: lane })
        await filter.click()
        await entries.filter({ hasText: words }).first().waitFor()
        await page.locator('.band-mark').first().waitFor()
        await filter.click()
        await page.waitForURL((url) => !url.searchParams.has('types'))
      }
      assert.ok(hook.seen.length > 0)
      assert.deepEqual(await violationsOn(page), [])
      await page.context().close()
    })

    test('what changed before this broke: one click, and the moment is marked', async () => {
      const page = await world.open('/timeline?types=health')
      const broke = page.locator('.entries .entry').filter({ hasText: 'stack:broken' }).first()
      await broke.getByRole('link', { name: 'What changed before this?' }).click()
      await page.getByRole('heading', { name: 'What changed before this broke?' }).waitFor()
      await page.locator('.band-broke').waitFor()
      await page
        .getByText(/run 1 \(start-up\)/)
        .first()
        .waitFor()
      await page.context().close()
    })

    test('sources: whose commit, signed or not, when it was asked last, and what is wrong', async () => {
      const page = await world.open('/sources')
      const source = (name: string) =>
        page.locator('.source').filter({ hasText: name === 'infra' ? world.git.bare : name })
      const good = source(signed.bare)
      await good.getByText('Signed by me').waitFor()
      assert.match(await good.innerText(), /Alice[\s\S]*Signature\s+good[\s\S]*Last asked/)
      assert.match(await source('infra').innerText(), /Signature\s+not checked/)
      const lost = source('nowhere.git')
      await lost.getByText('Failed', { exact: true }).waitFor()
      assert.match(await lost.innerText(), /Problem\s+\S+/)
      // a commit that nobody signed is told, and the last good one stays in force
      signed.git('config', 'commit.gpgsign', 'false')
      signed.commit('Not signed', { 'post/compose.yaml': mailText('90000') })
      await page.getByRole('button', { name: `Refresh ${signed.bare}` }).click()
      await good.getByText(/sign/i).nth(1).waitFor()
      await good.getByText('Failed', { exact: true }).waitFor()
      assert.deepEqual(await violationsOn(page), [])
      await page.context().close()
      await world.serving.until('stack:post', ({ synced }) => synced?.message === 'Signed by me')
    })
  },
)
