/** The dashboard on a fleet: clusters of the k3d stand-in, routes of a real HAProxy, and a Portainer that is stood in for. */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import type { FleetDetail } from '#model/api-fleets.ts'
import { violationsOn } from '../testbed/browser.ts'
import { openKindsWorld, type KindsWorld } from '../testbed/dashboard-kinds.ts'
import { freePort } from '../testbed/port.ts'

void describe('the dashboard on a fleet', () => {
  let world: KindsWorld

  before(async () => {
    world = await openKindsWorld({ hasCluster: false })
    await world.serving.until(
      'fleet:lab',
      ({ sync, health }) => sync.state === 'synced' && health.state === 'healthy',
    )
  })
  after(async () => {
    const errors = world?.errors() ?? []
    await world?.stop()
    assert.deepEqual(errors, [])
  })

  void test('a fleet: rows with what they really are, one added, changed, and removed by its typed name', async () => {
    const page = await world.open('/fleets/lab')
    await page.getByText('uat').first().waitFor()
    assert.deepEqual(await violationsOn(page), [])
    await page.getByRole('button', { name: 'Add a cluster' }).click()
    await page.getByLabel('name', { exact: true }).fill('uat')
    await page.getByLabel('provider', { exact: true }).fill('k3d')
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByRole('dialog').getByText('There is a cluster uat already.').waitFor()
    await page.getByLabel('name', { exact: true }).fill('qa')
    await page.getByLabel('provider', { exact: true }).fill('k3d')
    await page.evaluate(`(() => {
      globalThis.seen = new Set()
      const look = () => { for (const one of document.querySelectorAll('.cluster-steps li')) globalThis.seen.add(one.textContent) }
      new MutationObserver(look).observe(document.body, { subtree: true, childList: true, characterData: true })
    })()`)
    await page.getByRole('dialog').getByRole('button', { name: 'Add', exact: true }).click()
    await page.getByText('qa', { exact: true }).first().waitFor()
    await untilStanding('qa', true)
    // live: nobody has loaded the page again
    const cluster = page
      .getByRole('listitem')
      .filter({ has: page.getByText('qa', { exact: true }) })
    await cluster.getByText('actual: running').waitFor()
    const steps = await page.evaluate<readonly string[]>('[...globalThis.seen]')
    assert.ok(steps.includes('cluster: Creating'), steps.join(' | '))

    await page.getByRole('button', { name: 'Change qa' }).click()
    const port = String(await freePort())
    await page.getByLabel('http_port', { exact: true }).fill(port)
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click()
    await cluster.getByText(port, { exact: true }).waitFor()

    await page.getByRole('button', { name: 'Remove qa' }).click()
    const dialog = page.getByRole('dialog')
    assert.ok(await dialog.getByRole('button', { name: 'Remove' }).isDisabled())
    await dialog.getByLabel('Type qa to go on').fill('qa')
    await dialog.getByRole('button', { name: 'Remove' }).click()
    await untilStanding('qa', false)
    await cluster.waitFor({ state: 'detached' })
    await page.context().close()

    async function untilStanding(name: string, isWanted: boolean): Promise<void> {
      while (world.fleet.standing().includes(name) !== isWanted)
        await new Promise((done) => setTimeout(done, 50))
    }
  })

  void test('a fleet: registrations and the route are conditions, and one that does not hold says why', async () => {
    const { serving, portainer } = world
    const page = await world.open('/fleets/lab')
    const cluster = page
      .getByRole('listitem')
      .filter({ has: page.getByText('dev', { exact: true }) })
    const condition = (words: string) => cluster.locator('.conditions .pill', { hasText: words })
    await condition('portainer: yes').waitFor()
    await condition('route: yes').waitFor()
    assert.match(await cluster.innerText(), /actual: running[\s\S]*http_port\n\d+/)

    // nobody can tell: no, and yes, would be a lie
    portainer.answer('/api', 503)
    await serving.tend('sync lab')
    await condition('portainer: unknown').waitFor()
    await condition('route: yes').waitFor()
    await cluster.getByText(/^portainer: .*503/).waitFor()
    assert.deepEqual(await violationsOn(page), [])
    portainer.answer('/api', undefined)
    await serving.tend('sync lab')
    await condition('portainer: yes').waitFor()

    const url = '**/api/v1/fleets/lab'
    await page.route(url, async (route) => {
      const response = await route.fetch()
      const fleet: FleetDetail = JSON.parse(await response.text())
      const conditions = [{ type: 'portainer', state: 'false', reason: 'it is not registered' }]
      const clusters = fleet.clusters.map((one) => ({ ...one, conditions }))
      await route.fulfill({ response, json: { ...fleet, clusters } })
    })
    await page.reload()
    await condition('portainer: no').waitFor()
    await cluster.getByText('portainer: it is not registered').waitFor()
    await page.unroute(url)
    await page.context().close()
  })

  void test('a fleet: what its kind can not do is not offered', async () => {
    const page = await world.open('/apps/fleet:lab')
    await page.getByRole('link', { name: 'History' }).click()
    await page.getByRole('link', { name: '1', exact: true }).waitFor()
    const parts = page.getByRole('navigation', { name: 'Parts of the application' })
    assert.equal(await parts.getByRole('link', { name: 'Logs' }).count(), 0)
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Forget' }).waitFor()
    for (const name of [/^Restart/, /^Adopt/, /^Roll back/, /^Prune/]) {
      assert.equal(await page.getByRole('button', { name }).count(), 0, String(name))
    }
    // an old link is told so, without an error
    await page.goto(`${world.serving.url}/apps/fleet:lab/logs`)
    await page.getByText('There are no logs where it runs').waitFor()
    await page.context().close()
  })
})
