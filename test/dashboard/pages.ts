/** Every page with real applications of every kind, in both themes, wide and at 380 px: axe finds nothing, nothing is cut off, and pictures are taken to be looked at. */
import assert from 'node:assert/strict'
import { mkdirSync } from 'node:fs'
import { after, before, describe, test } from 'node:test'
import type { Page } from 'playwright-core'
import { violationsOn, type Look } from '../testbed/browser.ts'
import { openKindsWorld, siteChart, type KindsWorld } from '../testbed/dashboard-kinds.ts'
import { shopText } from '../testbed/dashboard-world.ts'
import { describedRoutes } from '../testbed/described-routes.ts'
import { missingOf } from '../testbed/go-tools.ts'

const hasCluster =
  missingOf(['kube-apiserver', 'kube-controller-manager', 'kube-scheduler', 'kubectl', 'kwok'])
    .length === 0
const folder = 'shots'
const shop = '/apps/stack:shop'
const platform = `/apps/${encodeURIComponent('kustomization:flux-system/platform')}`
const looks: readonly Look[] = [
  {},
  { theme: 'dark' },
  { width: 380 },
  { theme: 'dark', width: 380 },
]

/** What floats over the page, or says something in a line of its own, and is not whole in what holds it. */
const cutOff = `[...document.querySelectorAll('dialog[open], details[open] > .menu-list, .notice, .plan .state, .plan-app, .tabs [aria-current]')]
  .filter((one) => {
    if (!one.checkVisibility()) return false
    const own = one.getBoundingClientRect()
    const around = one.parentElement.closest('dialog, .tabs')?.getBoundingClientRect() ?? { left: 0, right: innerWidth }
    return own.left < around.left - 1 || own.right > around.right + 1
  })
  .concat([...document.querySelectorAll('.table-scroll')].filter((one) => one.scrollWidth > one.clientWidth))
  .concat(innerWidth < 1280 ? [] : [...document.querySelectorAll('.pill .truncate, .tile-word')].filter((one) => {
    // a hair too narrow is enough for dots
    const range = document.createRange()
    range.selectNodeContents(one)
    return range.getBoundingClientRect().width > one.getBoundingClientRect().width + 0.01
  }))
  .map((one) => one.className + ': ' + one.innerText.slice(0, 60))`

type Shown = readonly [
  name: string,
  path: string,
  /** What is pressed once it is there, and what shows that it has come. */
  press?: (page: Page) => Promise<unknown>,
]

const pages: readonly Shown[] = [
  ['overview', '/'],
  ['cards', '/?view=cards'],
  ['groups', '/?group=label:team'],
  ['nothing-fits', '/?search=nowhere'],
  ['selected', '/', (page) => page.getByLabel('Select stack:shop').check()],
  ['graph', shop],
  ['tree', `${shop}?as=tree`],
  ['resource', `${shop}?resource=container%2Fweb-1`],
  ['declared', `${shop}?resource=container%2Fweb-1&part=declared`],
  ['running', `${shop}?resource=container%2Fweb-1&part=running`],
  ['events', `${shop}?resource=container%2Fweb-1&part=events`],
  ['resource-logs', `${shop}?resource=container%2Fweb-1&part=logs`],
  ['plan', `${shop}/plan`, (page) => page.getByText(/^Made/).waitFor()],
  [
    'shared-plan',
    `${shop}/plan`,
    (page) => page.getByRole('link', { name: 'Open by itself' }).click(),
  ],
  [
    'drift',
    '/apps/stack:depot/drift',
    (page) => page.getByRole('button', { name: 'Put right' }).waitFor(),
  ],
  [
    'accept',
    '/apps/stack:depot/drift',
    (page) => page.getByRole('button', { name: 'Accept' }).click(),
  ],
  [
    'ignore',
    '/apps/stack:depot/drift',
    (page) =>
      page
        .getByRole('button', { name: /^Ignore/ })
        .first()
        .click(),
  ],
  ['no-drift', '/apps/chart:site/drift'],
  ['history', `${shop}/history`],
  ['run', `${shop}/history?run=1`],
  ['compare', `${shop}/history?run=1&with=2`],
  ['rollback', shop, (page) => page.getByRole('button', { name: 'Roll back' }).click()],
  [
    'sync',
    shop,
    async (page) => {
      await page.getByRole('button', { name: 'Sync', exact: true }).click()
      await page.getByText('what its source has now').waitFor()
    },
  ],
  [
    'sync-several',
    '/',
    async (page) => {
      await page.getByLabel('Select stack:shop').check()
      await page.getByLabel('Select chart:site').check()
      const bar = page.getByRole('region', { name: 'Selected applications' })
      await bar.getByRole('button', { name: 'Sync', exact: true }).click()
      await page.getByRole('dialog').locator('summary').first().waitFor()
    },
  ],
  ['menu', shop, (page) => page.getByLabel('More actions').click()],
  [
    'prune',
    shop,
    async (page) => {
      await page.getByLabel('More actions').click()
      await page.getByRole('button', { name: 'Prune' }).click()
    },
  ],
  ['logs', `${shop}/logs`, (page) => page.getByRole('log').getByText('hello').first().waitFor()],
  ['app-timeline', `${shop}/timeline`],
  ['chart', '/apps/chart:site'],
  ['fleet-app', '/apps/fleet:lab'],
  ['timeline', '/timeline'],
  ['sources', '/sources'],
  ['targets', '/targets'],
  ['fleets', '/fleets'],
  ['fleet', '/fleets/lab'],
  [
    'add-cluster',
    '/fleets/lab',
    (page) => page.getByRole('button', { name: 'Add a cluster' }).click(),
  ],
  [
    'change-cluster',
    '/fleets/lab',
    (page) => page.getByRole('button', { name: 'Change dev' }).click(),
  ],
  [
    'remove-cluster',
    '/fleets/lab',
    (page) => page.getByRole('button', { name: 'Remove dev' }).click(),
  ],
  ['start', '/start'],
  ['no-page', '/nowhere'],
  ['no-application', '/apps/stack:none'],
  ['no-plan', '/plans/none'],
  ['no-fleet', '/fleets/none'],
  ['no-run', `${shop}/history?run=99`],
  ...(hasCluster
    ? ([
        ['kustomization', platform],
        [
          'pods',
          `${platform}/logs`,
          (page: Page) => page.getByRole('log').getByText('a guest came').first().waitFor(),
        ],
      ] as const)
    : []),
]

void describe('every page, as it is', () => {
  let world: KindsWorld
  const asked = new Set<string>()

  before(async () => {
    world = await openKindsWorld({ hasCluster })
    const { serving, git } = world
    for (const key of ['stack:shop', 'stack:depot', 'chart:site', 'fleet:lab'])
      await serving.until(
        key,
        ({ sync, health }) => sync.state === 'synced' && health.state === 'healthy',
      )
    git.commit('Greet the guests of our shop as warmly as we can', {
      'shop/compose.yaml': shopText('welcome'),
      ...siteChart('welcome'),
    })
    await serving.tend('sync shop')
    for (const key of ['stack:shop', 'stack:depot', 'chart:site'])
      await serving.until(
        key,
        ({ synced, health, sync }) =>
          synced?.message.startsWith('Greet') === true &&
          health.state === 'healthy' &&
          sync.state === 'synced',
      )
    world.takeOffNetwork('depot')
    await serving.until('stack:depot', ({ needsAcknowledgement }) => needsAcknowledgement)
    mkdirSync(folder, { recursive: true })
  })
  after(async () => {
    const errors = world?.errors() ?? []
    await world?.stop()
    assert.deepEqual(errors, [])
  })

  for (const look of looks) {
    const kind = `${look.theme ?? 'light'}-${look.width ?? 1280}`
    void test(`axe finds nothing wrong, and nothing is wider than the page: ${kind}`, async () => {
      const page = await world.open('/start', look)
      page.on('request', (request) => {
        const { pathname } = new URL(request.url())
        if (pathname.startsWith('/api/')) asked.add(`${request.method()} ${pathname}`)
      })
      const wrong: string[] = []
      for (const [name, path, press] of pages) {
        await page.goto(`${world.serving.url}${path}`)
        await page.locator('main h1').first().waitFor({ state: 'attached' })
        await settled(page)
        await press?.(page)
        await settled(page)
        await page.screenshot({ path: `${folder}/${name}-${kind}.png` })
        wrong.push(...(await violationsOn(page)).map((text) => `${name}: ${text}`))
        const isWide = await page.evaluate<boolean>(
          'document.documentElement.scrollWidth > innerWidth',
        )
        if (isWide) wrong.push(`${name}: wider than the page`)
        const cut = await page.evaluate<readonly string[]>(cutOff)
        wrong.push(...cut.map((text) => `${name}: cut off: ${text}`))
      }
      assert.deepEqual(wrong, [])
      await page.context().close()
    })

    void test(`the login, and a service that is away: ${kind}`, async () => {
      const page = await world.open('/', look)
      await page.route('**/api/v1/**', (route) => route.abort())
      await page.goto(`${world.serving.url}/sources`)
      await page.getByText('The service can not be reached').waitFor()
      assert.deepEqual(await violationsOn(page), [])
      await page.unroute('**/api/v1/**')
      await page.getByRole('button', { name: 'Try again' }).click()
      await page.getByRole('heading', { level: 1, name: 'Sources' }).waitFor()
      await page.getByRole('button', { name: 'Log out' }).click()
      await page.getByLabel('Token').waitFor()
      await page.screenshot({ path: `${folder}/login-${kind}.png` })
      assert.deepEqual(await violationsOn(page), [])
      await page.context().close()
    })
  }

  void test('everything that these pages asked for is in the OpenAPI document, with the type of its answer', async () => {
    const routes = await describedRoutes(world.serving.url, world.own())
    for (const one of asked)
      assert.ok(
        routes.some((isIt) => isIt(one)),
        `${one} is not described`,
      )
    assert.ok([...asked].some((one) => one.includes('/fleets/lab')))
    assert.ok([...asked].some((one) => one.startsWith('POST /api/v1/plans')))
  })

  async function settled(page: Page): Promise<void> {
    await page.locator('.skeleton').first().waitFor({ state: 'detached' })
    // a graph is laid out beside the page
    const graph = page.getByLabel('Graph of resources')
    if (await graph.isVisible()) await graph.locator('.graph-card').first().waitFor()
  }
})
