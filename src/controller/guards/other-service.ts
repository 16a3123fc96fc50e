/** Another service with our instance name that changes the same application: containers have records which no run of ours wrote. */
import type { AppState } from '../state/app-state.ts'
import type { Dependencies } from '../dependencies.ts'

type Around = { readonly dependencies: Pick<Dependencies, 'store' | 'instance' | 'log'> }

/** How the application was when it was last found as applied, by this process. */
type Own = {
  readonly hash: string | undefined
  readonly fingerprint: string | undefined
  at: number
  /** The hashes of the records on its containers. */
  readonly records: ReadonlySet<string>
}

const owns = new WeakMap<AppState, Own>()
const rivals = new WeakMap<AppState, string>()

/** It is as it was applied: whatever else is found later, and no run of ours made, is somebody else's. */
export function noteAsApplied(app: AppState, now: number): void {
  const { fingerprint, records: found } = app.seen ?? {}
  const hash = app.persisted.synced?.hash
  const own = owns.get(app)
  rivals.delete(app)
  const isSame = own !== undefined && own.hash === hash && own.fingerprint === fingerprint
  if (isSame) own.at = now
  else
    owns.set(app, { hash, fingerprint, at: now, records: new Set(found?.map((one) => one.hash)) })
}

/** What another service did to it; undefined: nothing that is known. */
export function rivalIn(app: AppState): string | undefined {
  return rivals.get(app)
}

/** Only services of the same instance name write our owner on what they make. Commands of our own home are in the history. */
export async function lookForRival(service: Around, app: AppState): Promise<void> {
  const own = owns.get(app)
  const found = own === undefined || app.underWay !== undefined ? undefined : changedIn(app, own)
  const isAnother = own !== undefined && found !== undefined && !(await hasRunSince(own))
  if (!isAnother) return void rivals.delete(app)
  const { instance, log } = service.dependencies
  const text = `another service with the instance name ${instance} changed ${found}`
  if (!rivals.has(app)) log('error', text, { app: app.key })
  rivals.set(app, `${text}: it is left so (${whatToDo(app)})`)

  async function hasRunSince({ at }: Own): Promise<boolean> {
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

function changedIn({ seen, persisted }: AppState, own: Own): string | undefined {
  if (own.hash !== persisted.synced?.hash) return undefined
  const other = seen?.records?.find((one) => !own.records.has(one.hash))
  if (other !== undefined) return other.ref
  const isMarked = seen?.mark !== undefined && seen.mark.hash !== own.hash
  return isMarked && seen.mark.at > own.at ? 'the record of its last sync' : undefined
}

function whatToDo({ application: { name } }: AppState): string {
  return `give one of the two another TEND_INSTANCE; tend sync ${name} takes it back`
}
