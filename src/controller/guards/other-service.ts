/** Another service with our instance name that changes the same application: containers have records which no run of ours wrote. */
import { setAsApplied, setRival, type AppState, type AsApplied } from '../state/app-state.ts'
import type { Dependencies } from '../dependencies.ts'

type Around = { readonly dependencies: Pick<Dependencies, 'store' | 'instance' | 'log'> }

/** It is as it was applied: whatever else is found later, and no run of ours made, is somebody else's. */
export function noteAsApplied(app: AppState, now: number): void {
  const { fingerprint, records: found } = app.seen ?? {}
  const hash = app.persisted.synced?.hash
  const own = app.asApplied
  setRival(app, undefined)
  const isSame = own !== undefined && own.hash === hash && own.fingerprint === fingerprint
  const records = isSame ? own.records : new Set(found?.map((one) => one.hash))
  setAsApplied(app, { hash, fingerprint, at: now, records })
}

/** Only services of the same instance name write our owner on what they make. Commands of our own home are in the history. */
export async function lookForRival(service: Around, app: AppState): Promise<void> {
  const own = app.asApplied
  const found = own === undefined || app.underWay !== undefined ? undefined : changedIn(app, own)
  const isAnother = own !== undefined && found !== undefined && !(await hasRunSince(own))
  if (!isAnother) return setRival(app, undefined)
  const { instance, log } = service.dependencies
  const text = `another service with the instance name ${instance} changed ${found}`
  if (app.rival === undefined) log('error', text, { app: app.key })
  setRival(app, `${text}: it is left so (${whatToDo(app)})`)

  async function hasRunSince({ at }: AsApplied): Promise<boolean> {
    const { store } = service.dependencies
    try {
      const { lastRun } = (await store.application(app.application)) ?? {}
      return lastRun !== undefined && (lastRun.endedAt ?? Infinity) >= at
    } catch {
      // a history that can't be read accuses nobody
      return true
    }
  }
}

function changedIn({ seen, persisted }: AppState, own: AsApplied): string | undefined {
  if (own.hash !== persisted.synced?.hash) return undefined
  const other = seen?.records?.find((one) => !own.records.has(one.hash))
  if (other !== undefined) return other.ref
  const isMarked = seen?.mark !== undefined && seen.mark.hash !== own.hash
  return isMarked && seen.mark.at > own.at ? 'the record of its last sync' : undefined
}

function whatToDo({ application: { name } }: AppState): string {
  return `give one of the two another TEND_INSTANCE; tend sync ${name} takes it back`
}
