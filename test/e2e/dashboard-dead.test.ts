/** Ten hosts that do not answer: the page and everybody else's work go on as if they were not there. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:net'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import type { Browser, Page } from 'playwright-core'
import { openBrowser, openPage, visit } from '../testbed/browser.ts'
import { provideDashboard } from '../testbed/dashboard-files.ts'
import { mailText } from '../testbed/dashboard-world.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { gitBench, type Bench } from '../testbed/git.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { servingOn, type Serving } from '../testbed/serving.ts'

const dead = 10
/** What a page may take, ms; a dead host takes ten times as long before anybody gives it up. */
const longest = 3000

describe('dead hosts', { skip: requiredDocker() || required('chromium-headless-shell') }, () => {
  let engine: TestDocker
  let browser: Browser
  let git: Bench
  let serving: Serving
  let silent: Server

  before(async () => {
    ;[engine, browser] = await Promise.all([startDocker(), openBrowser(), provideDashboard()])
    await engine.addImage()
    git = gitBench()
    git.commit('Begin', { 'web/compose.yaml': mailText() })
    // it takes connections, and never says a word
    silent = createServer((socket) => socket.on('error', () => undefined))
    const port = await freePort()
    await new Promise<void>((resolve) => silent.listen(port, '127.0.0.1', resolve))
    const shut = await freePort()
    serving = await servingOn({ DOCKER_HOST: `unix://${engine.socket}` })
    const hosts = Array.from({ length: dead }, (_, index) => {
      // each an address of its own: one host is one engine
      const address = `tcp://127.0.0.${10 + index}:${index % 2 === 0 ? port : shut}`
      return `  - { stack: dead-${index}, path: web, target: "${address}" }`
    })
    serving.declare(`
sources: { infra: { git: "${git.bare}", ref: main } }
defaults: { interval: off }
apps:
  - { stack: web, path: web }
${hosts.join('\n')}
`)
    await serving.start()
  })
  after(async () => {
    await browser?.close()
    await serving?.remove()
    git?.remove()
    silent?.close()
    await engine?.stop()
  })

  async function open(path: string): Promise<Page> {
    const { page } = await openPage(browser)
    const token = readFileSync(join(serving.home, 'local-token'), 'utf8').trim()
    await visit(page, `${serving.url}${path}`, token)
    return page
  }

  test('the list, a healthy neighbour and the page of a dead one come at once', async () => {
    const page = await open('/')
    const rows = page.locator('.virtual .app-row')
    await rows.nth(dead).waitFor({ timeout: longest })
    await rows
      .filter({ has: page.getByRole('link', { name: 'web', exact: true }) })
      .getByText('Healthy')
      .waitFor()
    const times: number[] = []
    for (let count = 0; count < 50; count += 1) {
      const began = performance.now()
      assert.equal((await serving.api('/api/v1/overview')).status, 200)
      times.push(performance.now() - began)
    }
    assert.ok(Math.max(...times) < 1000, times.map(Math.round).join())
    for (const path of ['/apps/stack:dead-0', '/apps/stack:dead-1', '/targets', '/timeline']) {
      const began = performance.now()
      await page.goto(`${serving.url}${path}`)
      await page.locator('main h1').first().waitFor()
      await page.locator('.page-head h1').first().waitFor({ timeout: longest })
      assert.ok(performance.now() - began < 2 * longest, path)
    }
    await page.context().close()
  })

  test('targets say which hosts do not answer, and why', async () => {
    const page = await open('/targets')
    const lines = page.getByRole('row').filter({ hasText: '127.0.0.1' })
    await lines
      .getByText('Unreachable')
      .nth(dead - 1)
      .waitFor()
    await page.getByRole('row').filter({ hasText: 'docker.sock' }).getByText('Reachable').waitFor()
    assert.match(await lines.first().innerText(), /127\.0\.0\.1\d[\s\S]*Unreachable[\s\S]*\w{4,}/)
    await page.goto(`${serving.url}/apps/stack:dead-0/plan`)
    await page
      .getByText(/127\.0\.0\.10/)
      .first()
      .waitFor()
    await page.context().close()
  })

  test('a commit is applied where somebody answers, as soon as ever', async () => {
    git.commit('Go on', { 'web/compose.yaml': mailText('90000') })
    const began = performance.now()
    await serving.tend('sync web')
    await serving.until('stack:web', ({ synced }) => synced?.message === 'Go on')
    assert.ok(performance.now() - began < 20_000)
  })
})
