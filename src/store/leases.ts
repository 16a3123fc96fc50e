/** Leases over a database: one holder a key, kept alive by a heartbeat, taken over when its holder is gone. */
import { randomUUID } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { Problem } from '#model/problem.ts'
import type { Holder, Lease, Leases } from '#model/store.ts'
import { numberIn, textIn, type Database, type Row } from './database.ts'
import type { ProcessMark } from './process-mark.ts'

export type LeaseParts = {
  /** ms, by a clock of this process that nobody can set. Others decide by the database's clock who may take over. */
  monotonic(): number
  /** This process, or undefined where processes can't be told apart. */
  self(): ProcessMark | undefined
  isGone(mark: ProcessMark): boolean
  /** Both in ms. A holder that could not renew its lease for `expiry` has lost it. */
  readonly heartbeat: number
  readonly expiry: number
}

/** A clock that goes on while the machine's clock is set, and while this process is stopped. */
export function monotonic(): number {
  return performance.now()
}

/** The pause before a lease that is free is asked for again, ms. */
const moment = 10

export function leasesOver(database: Database, parts: LeaseParts): Leases {
  /** That of a dead holder is taken by the dead one's token, so that only one can take it. */
  async function take(key: string, holder: string): Promise<Lease | Holder> {
    const token = randomUUID()
    let dead = ''
    for (;;) {
      const askedAt = parts.monotonic()
      const generation = await claimed(database, parts, { key, token, holder, dead })
      if (generation !== undefined) {
        return kept(database, parts, { key, token, generation, askedAt })
      }
      const [row] = await database.rows('select * from leases where key = ?', [key])
      const before = row === undefined ? released : textIn(row, 'token')
      if (row !== undefined && before !== released) {
        const mark = markIn(row)
        if (mark === undefined || !parts.isGone(mark)) {
          return { name: textIn(row, 'holder'), since: numberIn(row, 'since') }
        }
      }
      // it was given back a moment ago, or a write that comes late still has it locked
      if (before === released || before === dead) await setTimeout(moment)
      dead = before
    }
  }
  return { take }
}

/** Stands in place of a token. The row stays when a lease is released, so that its generation never begins anew. */
const released = ''

type Claim = {
  readonly key: string
  readonly token: string
  readonly holder: string
  /** The token of a holder that is known to be gone. */
  readonly dead: string
}

/**
 * Claims the lease in one statement, of which two processes can't both find the row free. A row that is locked is passed over: a run
 * that still has it writes at this moment. Gives the generation of who got it.
 */
async function claimed(
  database: Database,
  parts: LeaseParts,
  claim: Claim,
): Promise<number | undefined> {
  const { now, lockFree } = database.words
  const mark = parts.self()
  const cells = [
    claim.token,
    claim.holder,
    parts.expiry,
    ...(mark === undefined ? [null, null, null] : [mark.machine, mark.pid, mark.start]),
  ]
  const [taken] = await database.rows(
    `update leases set token = ?, holder = ?, since = ${now}, expires_at = ${now} + ?,
     machine = ?, pid = ?, process_start = ?, generation = generation + 1
     where key in (select key from leases where key = ?
     and (expires_at <= ${now} or token = ?) ${lockFree})
     returning generation`,
    [...cells, claim.key, claim.dead],
  )
  if (taken !== undefined) return numberIn(taken, 'generation')
  const [made] = await database.rows(
    `insert into leases
     (token, holder, since, expires_at, machine, pid, process_start, key, generation)
     values (?, ?, ${now}, ${now} + ?, ?, ?, ?, ?, 1)
     on conflict (key) do nothing returning generation`,
    [...cells, claim.key],
  )
  return made && numberIn(made, 'generation')
}

function markIn(row: Row): ProcessMark | undefined {
  if (row['machine'] === null) return undefined
  const [machine, start] = [textIn(row, 'machine'), textIn(row, 'process_start')]
  return { machine, pid: numberIn(row, 'pid'), start }
}

type ClaimedLease = {
  readonly key: string
  readonly token: string
  readonly generation: number
  /** When the claim was sent, by this process's clock. The database's own term begins later than that. */
  readonly askedAt: number
}

function kept(database: Database, parts: LeaseParts, taken: ClaimedLease): Lease {
  const { key, token, generation } = taken
  const control = new AbortController()
  let deadline = taken.askedAt + parts.expiry
  let isReleased = false
  let isAsking = false
  let lastFailure: unknown

  /** Renews the lease. A question that is never answered must not keep the next one from noticing that the time is over. */
  function tick(): void {
    if (parts.monotonic() >= deadline) lose("the database can't be reached", lastFailure)
    else if (!isAsking) void renew()
  }
  async function renew(): Promise<void> {
    isAsking = true
    const askedAt = parts.monotonic()
    try {
      const sql = `update leases set expires_at = ${database.words.now} + ? where key = ? and token = ?`
      const renewed = await database.change(sql, [parts.expiry, key, token])
      if (renewed === 1) deadline = askedAt + parts.expiry
      else lose('another run took over')
    } catch (cause) {
      lastFailure = cause
    } finally {
      isAsking = false
    }
  }
  function lose(why: string, cause?: unknown): void {
    if (isReleased || control.signal.aborted) return
    clearInterval(timer)
    const message = `the lease of ${key} was lost: ${why}`
    control.abort(new Problem({ type: 'runtime', code: 'held', message, recoverable: true, cause }))
  }
  async function release(): Promise<void> {
    isReleased = true
    clearInterval(timer)
    const sql = 'update leases set token = ?, expires_at = 0 where key = ? and token = ?'
    await database.change(sql, [released, key, token])
  }

  const timer = setInterval(tick, parts.heartbeat)
  timer.unref()
  return {
    release,
    lost: control.signal,
    generation,
    isHeld: () => !isReleased && !control.signal.aborted && parts.monotonic() < deadline,
  }
}
