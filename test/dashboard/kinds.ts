/** The dashboard on applications of all four kinds: Docker, Podman, a real control plane, and a fleet on the k3d stand-in. */
import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import { join } from 'node:path'
import { violationsOn } from '../testbed/browser.ts'
import { missingOf } from '../testbed/go-tools.ts'
import { openKindsWorld, platformFiles, type KindsWorld } from '../testbed/dashboard-kinds.ts'

const platform = 'kustomization:flux-system/platform'
/** `npm run test:dashboard` builds the control plane first; without it the other kinds are tried all the same. */
const missing = missingOf([
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
])
const keys = ['stack:shop', 'stack:depot', 'chart:site', 'fleet:lab']
const hasCluster = missing.length === 0
const skip = hasCluster ? false : `${missing.join(', ')} not built`

void describe('the dashboard on every kind', () => {
  let world: KindsWorld

  before(async () => {
    world = await openKindsWorld({ hasCluster })
    for (const key of [...keys, ...(hasCluster ? [platform, 'stack:portal'] : [])]) {
      await world.serving.until(
        key,
        ({ sync, health }) => sync.state === 'synced' && health.state === 'healthy',
      )
    }
  })
  after(async () => {
    const errors = world?.errors() ?? []
    await world?.stop()
    assert.deepEqual(errors, [])
  })

  void test('one list over all kinds, grouped by label, kind, target and source', async () => {
    const page = await world.open('/')
    await page.getByText(`All ${hasCluster ? 6 : 4} are as declared and well`).waitFor()
    await page.getByLabel('Group by').selectOption('label:team')
    await page.waitForURL(/group=label(:|%3A)team/)
    await page
      .getByRole('button', { name: /retail/ })
      .first()
      .waitFor()
    for (const by of ['kind', 'target', 'source']) {
      await page.getByLabel('Group by').selectOption(by)
      await page.waitForURL((url) => url.searchParams.get('group') === by)
      assert.deepEqual(await violationsOn(page), [], by)
    }
    await page.context().close()
  })

  void test('a row has what runs of it, in a cluster too', { skip }, async () => {
    const page = await world.open('/')
    const row = page.locator('.virtual .app-row').filter({ hasText: 'in flux-system' })
    await row.filter({ hasText: '2/2' }).waitFor()
    await page.context().close()
  })

  void test('each declared field has its file, line and commit, whatever the kind', async () => {
    const resources = [
      ['stack:shop', 'container/web-1', /shop\/compose\.yaml:\d+/],
      ['stack:depot', 'container/web-1', /shop\/compose\.yaml:\d+/],
      ['chart:site', 'container/front', /site\/templates\/web\.yaml:\d+/],
      ...(hasCluster
        ? [[platform, 'Deployment.apps/platform/web', /platform\/web\.yaml:\d+/] as const]
        : []),
    ] as const
    for (const [key, ref, place] of resources) {
      const query = `resource=${encodeURIComponent(ref)}&part=declared`
      const page = await world.open(`/apps/${encodeURIComponent(key)}?${query}`)
      const lines = page.getByRole('list', { name: 'Where each field comes from' })
      const image = lines.getByRole('listitem').filter({ hasText: 'image' }).first()
      await image.waitFor()
      assert.match(await image.innerText(), place, key)
      assert.equal(await image.locator('.commit-text').getAttribute('title'), 'Begin', key)
      await page.context().close()
    }
  })

  void test('a stack that waits for a kustomization has it in its graph', { skip }, async () => {
    const page = await world.open('/apps/stack:portal')
    await page.locator('.graph-card').filter({ hasText: 'platform' }).waitFor()
    await page.locator('.graph-card').filter({ hasText: 'portal' }).first().waitFor()
    await page.context().close()
  })

  void test(
    'a kustomization: graph, one object with file, line and commit, drift put right',
    { skip },
    async () => {
      const page = await world.open(`/apps/${encodeURIComponent(platform)}?as=tree`)
      const tree = page.getByRole('tree', { name: 'Resources' })
      await tree.getByRole('treeitem', { name: /web/ }).first().click()
      const panel = page.getByRole('complementary')
      await panel
        .getByText(/platform\/web\.yaml:\d+/)
        .first()
        .waitFor()
      assert.deepEqual(await violationsOn(page), [])
      world.kube?.kubectl(['-n', 'platform', 'scale', 'deployment', 'web', '--replicas=5'])
      await world.serving.until(platform, ({ sync }) => sync.state === 'drifted')
      await page.goto(`${world.serving.url}/apps/${encodeURIComponent(platform)}/drift`)
      await page.getByText('spec.replicas').first().waitFor()
      await page.getByRole('button', { name: /^Ignore from now on: spec.replicas/ }).click()
      const lines = await page.getByLabel('Lines for tend.yaml').innerText()
      assert.match(
        lines,
        /paths: \["\/spec\/replicas"\]\n\s+target: \{ kind: Deployment, name: "web" \}/,
      )
      await page.getByRole('dialog').getByRole('button', { name: 'Close' }).click()
      await page.getByRole('button', { name: 'Put right' }).click()
      await page.getByText('Everything runs as it was applied').waitFor()
      world.git.commit('Paint it blue', platformFiles('blue'))
      await page.goto(`${world.serving.url}/apps/${encodeURIComponent(platform)}/plan`)
      await page.getByRole('button', { name: 'Refresh' }).click()
      await page.getByText(/^Asked /).waitFor()
      await page.goto(`${world.serving.url}/apps/${encodeURIComponent(platform)}/history`)
      await page.getByText('Paint it blue').first().waitFor()
      await page.context().close()
    },
  )

  void test(
    'a kustomization: its pods below what made them, and their logs as one',
    { skip },
    async () => {
      const page = await world.open(`/apps/${encodeURIComponent(platform)}`)
      await page
        .locator('.graph-card')
        .filter({ hasText: /^Podplatform\/web-/ })
        .nth(1)
        .waitFor()
      await page
        .locator('.graph-card')
        .filter({ hasText: /^Podplatform\/web-/ })
        .first()
        .click()
      const panel = page.getByRole('complementary', {
        name: 'Resource Deployment.apps/platform/web',
      })
      await panel.getByRole('log').getByText('the platform stands').first().waitFor()
      await page.goto(`${world.serving.url}/apps/${encodeURIComponent(platform)}/logs`)
      const log = page.getByRole('log')
      await log.getByText('a guest came').nth(1).waitFor()
      await page.getByLabel('Search the logs').fill('GUEST')
      await log.locator('mark').first().waitFor()
      assert.ok(!(await log.innerText()).includes('the platform stands'))
      // new lines come by themselves
      appendFileSync(
        join(world.kube?.root ?? '', 'pods.log'),
        `${new Date().toISOString()} stdout F a guest left\n`,
      )
      await log.getByText('a guest left').nth(1).waitFor()
      assert.match(
        (await world.serving.tend(`logs ${platform}`)).out,
        /web-[a-z0-9-]+.*the platform stands/,
      )
      await page.context().close()
    },
  )

  void test('Podman: graph, logs, and a restart of a stack and of a chart', async () => {
    for (const [path, line] of [
      ['/apps/stack:depot', 'hello from the shop'],
      ['/apps/chart:site', 'the site is up'],
    ] as const) {
      const page = await world.open(path)
      await page.locator('.graph-card').first().waitFor()
      await page.goto(`${world.serving.url}${path}/logs`)
      await page.getByRole('log').getByText(line).first().waitFor()
      await page.getByLabel('More actions').click()
      await page.getByRole('button', { name: 'Restart' }).click()
      await page.getByText(/^Restart: /).waitFor()
      assert.deepEqual(await violationsOn(page), [], path)
      await page.context().close()
    }
  })

  void test('a volume that is declared no more goes with prune, after its name was typed', async () => {
    const { serving, git } = world
    git.commit('Keep no data', {
      'shop/compose.yaml': withoutVolume(git.git('show', 'HEAD:shop/compose.yaml')),
    })
    await serving.tend('sync depot')
    await serving.until('stack:depot', ({ synced }) => synced?.message === 'Keep no data')
    const page = await world.open('/apps/stack:depot')
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Prune' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('list', { name: 'What goes' }).getByText('volume/data').waitFor()
    assert.ok(await dialog.getByRole('button', { name: 'Prune' }).isDisabled())
    await dialog.getByLabel('Type depot to go on').fill('depot')
    await dialog.getByRole('button', { name: 'Prune' }).click()
    await page.getByText(/^Prune: /).waitFor()
    await page.getByLabel('More actions').click()
    await page.getByRole('button', { name: 'Prune' }).click()
    await page.getByText('Nothing to prune').waitFor()
    await page.context().close()
  })

  void test('several go back together, after the plan of each was shown', async () => {
    const page = await world.open('/')
    await page.getByLabel('Select stack:depot').check()
    await page.getByLabel('Select chart:site').check()
    await page.getByRole('button', { name: 'Roll back' }).click()
    const dialog = page.getByRole('dialog')
    await dialog.getByRole('heading', { name: 'stack:depot' }).waitFor()
    // the chart has no earlier run: it is told so, and keeps the stack from nothing
    await dialog.getByRole('button', { name: 'Roll back 1 of 2' }).click()
    await world.serving.until('stack:depot', ({ lastRun }) => lastRun?.trigger === 'rollback')
    await page.context().close()
  })

  void test('targets: engines and a cluster, with versions', async () => {
    const page = await world.open('/targets')
    for (const words of [/docker \d/, /podman \d/, ...(hasCluster ? [/kubernetes \d/] : [])]) {
      await page.getByRole('row').filter({ hasText: words }).first().waitFor()
    }
    await page.context().close()
  })
})

function withoutVolume(text: string): string {
  return text
    .split('\n')
    .filter((line) => !/^ {4}volumes:|^volumes:/.test(line))
    .join('\n')
}
