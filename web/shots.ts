/** `npm run shots`: the README's pictures, taken of the real service with real Docker, Podman and, where it is built, a control plane. */
import { mkdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { openKindsWorld, platformFiles } from '../test/testbed/dashboard-kinds.ts'
import { shopText } from '../test/testbed/dashboard-world.ts'
import { missingOf } from '../test/testbed/go-tools.ts'

const folder = 'docs/pictures'
const tools = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kubectl',
  'kwok',
] as const
const hasCluster = missingOf(tools).length === 0
const kinds = ['stack:shop', 'stack:depot', 'chart:site', 'fleet:lab']
const onCluster = ['kustomization:flux-system/platform', 'stack:portal']

// pictures show what is: the repository's place and the author of its commits are really these
const world = await openKindsWorld({
  hasCluster,
  folder: join(tmpdir(), 'tend-shop'),
  author: 'Ada',
})
try {
  const { serving, git } = world
  for (const key of [...kinds, ...(hasCluster ? onCluster : [])])
    await serving.until(
      key,
      ({ sync, health }) => sync.state === 'synced' && health.state === 'healthy',
    )
  git.commit('Greet the guests', {
    'shop/compose.yaml': shopText('welcome'),
    ...platformFiles('blue'),
  })
  await serving.tend('sync shop')
  await serving.until('stack:shop', ({ synced }) => synced?.message === 'Greet the guests')
  const [changed = ''] = onCluster
  if (hasCluster) {
    // its own run for the commit would put right at once what is changed by hand
    await serving.until(changed, ({ synced }) => synced?.message === 'Greet the guests')
    world.kube?.kubectl(['-n', 'platform', 'scale', 'deployment', 'web', '--replicas=5'])
    await serving.until(changed, ({ needsAcknowledgement }) => needsAcknowledgement)
  }
  mkdirSync(folder, { recursive: true })
  await take('overview', '/', 'light', (page) => page.locator('.virtual .app-row').nth(3).waitFor())
  await take(
    'application',
    `/apps/${hasCluster ? encodeURIComponent(changed) : 'stack:shop'}`,
    'dark',
    (page) => page.locator('.graph-card').nth(3).waitFor(),
    800,
  )
  await take('run', '/apps/stack:shop/history?run=1', 'light', (page) =>
    page.getByRole('list', { name: 'Steps' }).waitFor(),
  )
} finally {
  await world.stop()
}

async function take(
  name: string,
  path: string,
  theme: 'light' | 'dark',
  isThere: (page: Page) => Promise<unknown>,
  height = 620,
): Promise<void> {
  const page = await world.open(path, { theme, width: 1280 })
  await page.setViewportSize({ width: 1280, height })
  await page.mouse.move(0, 0)
  await isThere(page)
  await page.screenshot({ path: `${folder}/${name}.png` })
  await page.context().close()
  console.log(`${folder}/${name}.png`)
}
