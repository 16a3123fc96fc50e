/** Copies of files that no container and no recorded snapshot needs any more are removed, now and then. */
import { problemOf } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { TargetMonitor } from '../monitor/target-monitor.ts'

const everySo = 60 * 60_000
const patience = 30_000

type GarbageCollector = {
  /** Ends at once when it is not time yet. Never throws. */
  tidyIfDue(): Promise<void>
}

export function createGarbageCollector(
  service: ServiceState,
  monitors: () => readonly TargetMonitor[],
): GarbageCollector {
  const { clock, bindFiles, store, log } = service.dependencies
  let last = clock.now()
  let isAtIt = false
  return {
    async tidyIfDue() {
      const now = clock.now()
      // a clock that was set back counts from where it is
      if (now < last) last = now
      if (isAtIt || now - last < everySo) return
      isAtIt = true
      last = now
      try {
        await bindFiles.sweep(needs(monitors(), store), now)
      } catch (thrown) {
        // who can't be asked may need any of them
        log('debug', 'files that nobody needs were not looked for', {
          why: problemOf(thrown).message,
        })
      } finally {
        isAtIt = false
      }
    },
  }
}

/** One by one: all of them at once may be much. */
async function* needs(monitors: readonly TargetMonitor[], store: Store): AsyncIterable<string> {
  for (const monitor of monitors)
    yield* (await monitor.connection().bound?.(AbortSignal.timeout(patience))) ?? []
  yield* recordedIn(store)
}

/** Every snapshot that a rollback may go back to. */
async function* recordedIn(store: Store): AsyncIterable<string> {
  const breathe = yieldToEventLoop()
  for (const { application } of await store.applications()) {
    for (const { number, hasSnapshot } of await store.runs(application)) {
      if (!hasSnapshot) continue
      const snapshot = await store.snapshot(application, number)
      if (snapshot !== undefined) yield JSON.stringify(snapshot.resources)
      await breathe()
    }
  }
}
