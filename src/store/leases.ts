/** Leases over a database: one holder a key, kept alive by a heartbeat, taken over when its holder is gone. */
import { randomUUID } from 'node:crypto'
import { Problem } from '#model/problem.ts'
import type { Holder, Lease, Leases } from '#model/store.ts'
import { numberIn, textIn, type Database, type Row } from './database.ts'
import type { ProcessMark } from './process-mark.ts'

export type LeaseParts = {
  now(): number
  /** This process, or undefined where processes can't be told apart. */
  self(): ProcessMark | undefined
  isGone(mark: ProcessMark): boolean
  /** Both in ms; a holder that could not say it lives for so long has lost it. */
  readonly heartbeat: number
  readonly expiry: number
}

export function leasesOver(database: Database, parts: LeaseParts): Leases {
  /** Asks twice at most for one holder: what it finds dead it takes by the dead one's token, so only one can. */
  async function take(key: string, holder: string): Promise<Lease | Holder> {
    const token = randomUUID()
    let dead = ''
    for (;;) {
      if (await claimed(database, parts, { key, token, holder, dead })) {
        return kept(database, parts, key, token)
      }
      const [row] = await database.rows('select * from leases where key = ?', [key])
      if (row === undefined) continue
      const mark = markIn(row)
      if (mark === undefined || !parts.isGone(mark)) {
        return { name: textIn(row, 'holder'), since: numberIn(row, 'since') }
      }
      dead = textIn(row, 'token')
    }
  }
  return { take }
}

type Claim = {
  readonly key: string
  readonly token: string
  readonly holder: string
  /** The token of a holder that is known to be gone. */
  readonly dead: string
}

/** One statement: of two processes the second finds the first one's row. */
async function claimed(database: Database, parts: LeaseParts, claim: Claim): Promise<boolean> {
  const now = parts.now()
  const mark = parts.self()
  const rows = await database.rows(
    `insert into leases (key, token, holder, since, expires_at, machine, pid, process_start)
     values (?, ?, ?, ?, ?, ?, ?, ?)
     on conflict (key) do update set token = excluded.token, holder = excluded.holder,
     since = excluded.since, expires_at = excluded.expires_at, machine = excluded.machine,
     pid = excluded.pid, process_start = excluded.process_start
     where leases.expires_at <= ? or leases.token = ?
     returning token`,
    [
      claim.key,
      claim.token,
      claim.holder,
      now,
      now + parts.expiry,
      ...(mark === undefined ? [null, null, null] : [mark.machine, mark.pid, mark.start]),
      now,
      claim.dead,
    ],
  )
  return rows.length > 0
}

function markIn(row: Row): ProcessMark | undefined {
  if (row['machine'] === null) return undefined
  const [machine, start] = [textIn(row, 'machine'), textIn(row, 'process_start')]
  return { machine, pid: numberIn(row, 'pid'), start }
}

function kept(database: Database, parts: LeaseParts, key: string, token: string): Lease {
  const control = new AbortController()
  let lastBeat = parts.now()
  let isReleased = false

  async function beat(): Promise<void> {
    const now = parts.now()
    try {
      const sql = 'update leases set expires_at = ? where key = ? and token = ?'
      const renewed = await database.change(sql, [now + parts.expiry, key, token])
      if (renewed === 1) lastBeat = now
      else lose('another run took over')
    } catch (cause) {
      if (now - lastBeat >= parts.expiry) lose("the database can't be reached", cause)
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
    await database.change('delete from leases where key = ? and token = ?', [key, token])
  }

  const timer = setInterval(() => void beat(), parts.heartbeat)
  timer.unref()
  return { release, lost: control.signal }
}
