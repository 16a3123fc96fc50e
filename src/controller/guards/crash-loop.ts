/** Repairs that do not hold: what ends with an error again and again, soon after it was started anew. */
import { problemOf } from '#model/problem.ts'
import { backoff, type Failure } from '../decide/backoff.ts'
import { remember, type ServiceState } from '../state/service-state.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import type { AppState } from '../state/app-state.ts'
import { repairPause } from '../decide/app-status.ts'
import { defined } from '#model/defined.ts'

/** So many repairs in a row that came to nothing are a failure. */
const most = 3
/** What holds so long after a repair is well again, ms. */
const proof = 60_000

type Repairs = NonNullable<PersistedState['repairs']>

/** What is known of the repairs of one application, and what drifts now. */
type Repaired = {
  readonly persisted: Pick<PersistedState, 'repairs'>
  readonly drift: string | undefined
}

/** After this time a repair has held. */
function quietAfter(repairs: Repairs): number {
  return proof + 2 * repairPause(repairs.count)
}

function isSoon(repairs: Repairs, now: number): boolean {
  return Math.abs(now - repairs.at) < quietAfter(repairs)
}

/**
 * Repairs that follow each other closely are counted, and of those the ones of what had ended with the same error: one that
 * somebody killed, and that falls by itself from then on, was repaired once for another reason.
 */
export function repairsAfter({ persisted: { repairs }, drift }: Repaired, now: number): Repairs {
  const before = repairs !== undefined && isSoon(repairs, now) ? repairs : undefined
  const count = (before?.count ?? 0) + 1
  const code = exitCodeIn(drift)
  if (code === undefined) return { ...before, count, at: now }
  const isSame = (before?.code ?? code) === code
  return { count, ended: (isSame ? (before?.ended ?? 0) : 0) + 1, code, at: now }
}

/** Why more haste would be in vain; undefined: repairs may hold. */
function vainRepairs(
  { persisted: { repairs }, drift }: Repaired,
  now: number,
): { readonly tries: number; readonly reason: string } | undefined {
  const code = exitCodeIn(drift)
  if (code === undefined || repairs === undefined) return undefined
  const tries = (repairs.code ?? code) === code ? (repairs.ended ?? 0) : 0
  if (tries < most || !isSoon(repairs, now)) return undefined
  return {
    tries,
    reason: `${refIn(drift)} ended with exit code ${code} after each of ${tries} repairs`,
  }
}

/** How long the next repair waits after so many in vain, ms. */
function vainPause(tries: number, random: number): number {
  return backoff(tries + 2, random)
}

/** The failure, when what drifts now was repaired often enough in vain. */
export function isCrashLooping(
  { persisted, drift }: Pick<AppState, 'persisted' | 'drift'>,
  now: number,
  random: number,
): Failure | undefined {
  const { repairs, desired, failure } = persisted
  if (repairs === undefined || desired === undefined) return undefined
  const isTold =
    failure?.hash === desired.hash && (failure.isRolledBack || failure.at >= repairs.at)
  const vain = isTold ? undefined : vainRepairs({ persisted, drift }, now)
  if (vain === undefined) return undefined
  const { tries, reason } = vain
  return {
    hash: desired.hash,
    tries,
    at: now,
    reason,
    code: 'exited',
    isRolledBack: false,
    isPassing: true,
    nextTry: now + vainPause(tries, random),
    epoch: 0,
    provenAt: now + proof,
  }
}

/** Well again only when it held: until then a repair that went well ends no such failure. */
export function stillUnproven(before: Failure | undefined, now: number): Failure | undefined {
  return before?.provenAt === undefined ? undefined : { ...before, provenAt: now + proof }
}

/** After a look: what does not hold has failed, and what held is well. */
export async function reportCrashLoop(service: ServiceState, app: AppState): Promise<void> {
  const { clock, log } = service.dependencies
  const now = clock.now()
  const { failure } = app.persisted
  if (app.drift === undefined && failure?.provenAt !== undefined && failure.provenAt <= now) {
    await remember(service, app, { failure: undefined })
    return
  }
  const found = isCrashLooping(app, now, clock.random())
  if (found === undefined) return
  const line = await lastLine(app)
  const { details: _, ...plain } = found
  const reason = line === undefined ? found.reason : `${found.reason}: ${line}`
  log('error', 'a repair does not hold', { app: app.key, error: reason })
  await remember(service, app, { failure: { ...plain, reason } })
}

function exitCodeIn(drift: string | undefined): string | undefined {
  const code = /it has stopped \(exit code (\d+)\)/.exec(drift ?? '')?.[1]
  return code === '0' ? undefined : code
}

function refIn(drift: string | undefined): string {
  return /^\S+(?=: )/.exec(drift ?? '')?.[0] ?? 'it'
}

const patience = 3_000
const longest = 300

async function lastLine({ monitor, owner, drift }: AppState): Promise<string | undefined> {
  const signal = AbortSignal.timeout(patience)
  const name = refIn(drift).replace(/^[^/]*\//, '')
  try {
    const connection = defined(monitor).connection()
    const own = (await connection.containers?.(owner, signal)) ?? []
    const ended = own.filter(({ state }) => state !== 'running')
    const found = ended.find((one) => one.name.endsWith(name)) ?? ended[0]
    if (found === undefined) return undefined
    let last: string | undefined
    const wanted = { owner, tail: 1, follows: false }
    for await (const line of connection.logs?.(found.name, wanted, signal) ?? []) last = line
    return last?.trim().slice(0, longest)
  } catch (thrown) {
    return `its log can't be read: ${problemOf(thrown).message}`
  }
}
