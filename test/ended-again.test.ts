/** What a limit ended is tried again by itself: after five minutes, then ten, with real render processes and a clock of our own. */
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { renderPool, type RenderPool } from '#controller/render/render-pool.ts'
import type { Declarations } from '#model/declaration.ts'
import { fakeRepository } from './fake/repository.ts'
import { manualClock } from './testbed/manual-clock.ts'
import { serve, stackOf, treeOfStacks } from './testbed/serve.ts'
import { waitFor } from './testbed/serving.ts'

const target = 'unix:///nonexistent/engine.sock'
const minute = 60_000

/** While it is busy nothing gets the time that it needs. */
function busyPool(): RenderPool & { isBusy: boolean; asked: number } {
  const pool = renderPool()
  const busy = {
    ...pool,
    isBusy: true,
    asked: 0,
    for(source: string): ReturnType<RenderPool['for']> {
      const renders = pool.for(source)
      return {
        ...renders,
        run(name, request, limits) {
          busy.asked += 1
          return renders.run(name, request, busy.isBusy ? { ...limits, timeout: 1 } : limits)
        },
      }
    },
  }
  return busy
}

function world(t: TestContext, declarations: Partial<Declarations>) {
  const folder = mkdtempSync(join(tmpdir(), 'tend-ended-'))
  const repo = fakeRepository(folder)
  repo.commit({ 'web/compose.yaml': 'services: { web: { image: busybox } }\n' })
  const clock = manualClock()
  const renders = busyPool()
  const service = serve({ repo, folder, declarations, clock, renders })
  t.after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  void service.start()
  return { service, clock, renders }
}

async function staysAt(asked: number, renders: { readonly asked: number }): Promise<void> {
  for (let turns = 0; turns < 200; turns++) await new Promise((resolve) => setImmediate(resolve))
  assert.equal(renders.asked, asked, 'not before its time')
}

test('a render that was ended is tried again after five minutes, then after ten', async (t) => {
  const { service, clock, renders } = world(t, { apps: [stackOf('web', target)] })
  const isEnded = ({ reason }: { readonly reason: string }) => /took longer than/.test(reason)
  await service.until('stack:web', isEnded)
  const first = renders.asked
  clock.advance(5 * minute - 1)
  await staysAt(first, renders)
  clock.advance(1)
  await waitFor(() => renders.asked === first + 1)
  // ended once more: from now on it waits twice as long
  await service.until('stack:web', (status) => isEnded(status))
  await waitFor(() => service.appState('stack:web')?.refresh === undefined)
  renders.isBusy = false
  clock.advance(10 * minute - 1)
  await staysAt(first + 1, renders)
  clock.advance(1)
  const { desired } = await service.until('stack:web', (status) => !isEnded(status))
  assert.ok(desired !== undefined || renders.asked > first + 1)
  await waitFor(() => service.appState('stack:web')?.persisted.desired !== undefined)
})

test('a discovery that was ended is tried again after five minutes', async (t) => {
  const { service, clock, renders } = world(t, { discoveries: [treeOfStacks(target)] })
  await waitFor(() => service.lines.some((line) => /could not be looked for/.test(line)))
  await waitFor(() => service.isReady())
  const first = renders.asked
  renders.isBusy = false
  clock.advance(5 * minute - 1)
  await staysAt(first, renders)
  assert.deepEqual(service.apps(), [])
  clock.advance(1)
  await service.until('stack:web', () => true)
  assert.ok(renders.asked > first)
})
