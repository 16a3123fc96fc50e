/** A graph of 500 resources is laid out in a worker: how long the page's own thread is kept at most. */
import type { Browser } from 'playwright-core'
import type { Graph, GraphNode } from '#model/api.ts'
import { median, milliseconds, type Row } from '../row.ts'
import { longestTask } from './busy.ts'
import type { LargeWorld } from '../../test/testbed/dashboard-many.ts'

const resources = 500
const mostBlocked = 50
const rounds = 3

export async function layoutRow(browser: Browser, world: LargeWorld): Promise<Row> {
  const times: number[] = []
  for (let round = 0; round < rounds; round += 1) times.push(await once(browser, world))
  const longest = median(times)
  return {
    name: `longest task while ${resources} resources are laid out`,
    measured: longest / mostBlocked,
    goal: { is: 'at most', than: 1 },
    behind: `${milliseconds(longest)} of the processor, of at most ${mostBlocked} ms`,
  }
}

async function once(browser: Browser, world: LargeWorld): Promise<number> {
  const { page } = await world.open(browser, '/start')
  await page.route('**/graph', (route) => route.fulfill({ json: largeGraph() }))
  await page.goto(`${world.url}/apps/stack:app-00001/drift`)
  await page.getByText('Everything runs as it was applied').waitFor()
  const longest = await longestTask(browser, page, async () => {
    await page.getByRole('link', { name: 'Resources' }).click()
    const last = page.locator('.graph-card').nth(resources - 1)
    await last.waitFor({ state: 'attached' })
  })
  await page.context().close()
  return longest
}

/** A tree that nothing of can be folded: each node has other neighbours. */
function largeGraph(): Graph {
  const nodes = Array.from({ length: resources }, (_, index): GraphNode => {
    const name = `c${index}`
    return {
      id: `container/${name}`,
      type: 'resource',
      kind: 'container',
      name,
      sync: 'synced',
      health: 'healthy',
      reason: '',
    }
  })
  const edges = nodes.slice(1).map(({ id }, index) => ({
    from: id,
    to: `container/c${Math.floor(index / 3)}`,
    until: 'exists' as const,
  }))
  return { nodes, edges }
}
