/** Writes down every change that was asked for and every try that was refused, with who asked and what the answer was. */
import type { IncomingMessage } from 'node:http'
import type { AuditEntry, AuditKept, AuditLog } from '#model/audit.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import { addressOf } from './access/address.ts'
import { anybody, type Caller } from './access/caller.ts'
import type { Log } from './log.ts'
import type { Route } from './route.ts'

/** What is found out about a request while it is answered. */
export type AuditNote = {
  caller: Caller
  /** The key of the application that it concerns. */
  app: string
  detail: string
  /** Written down though it changes nothing: a login. */
  isKept?: boolean
}

export type Auditor = {
  /** Before the answer goes out. Reads that were answered leave no row. */
  answered(note: AuditNote, route: Route, request: IncomingMessage, status: number): Promise<void>
  /** Writes what was held back and is due; with `all`, everything. */
  flush(all?: boolean): Promise<void>
}

type AuditorParts = {
  readonly audit: AuditLog
  readonly clock: Pick<Clock, 'now'>
  readonly log: Log
  readonly kept: () => AuditKept
  /** Each row is a line of the log too. */
  readonly isLogged: () => boolean
}

/** Equal tries of strangers within this time are two rows: the first at once, the others together. ms */
const together = 60_000
/** More kinds of tries than this at once are counted as one. */
const mostKinds = 1_000
/** Letters of what a stranger may choose. */
const longest = 500
/** Rows between two looks for what is too old. */
const forgetEvery = 500

export function newNote(): AuditNote {
  return { caller: anybody, app: '', detail: '' }
}

type HeldBack = { readonly until: number; readonly entry: AuditEntry; count: number }

export function auditorOf({ audit, clock, log, kept, isLogged }: AuditorParts): Auditor {
  const heldBack = new Map<string, HeldBack>()
  let rows = 0

  async function write(entry: AuditEntry): Promise<void> {
    if (isLogged()) log('info', 'audit', { ...entry })
    try {
      if (rows % forgetEvery === 0) await audit.forgetOld(kept(), clock.now())
      rows += 1
      await audit.append(entry)
    } catch (thrown) {
      // whoever asks is answered: a full disk must not keep an operator from suspending an application
      const why = problemOf(thrown).message
      log('error', 'the audit log could not be written', { ...entry, why })
    }
  }

  /** Strangers can ask as often as they like: their tries must not push other rows out. */
  async function collapse(entry: AuditEntry): Promise<void> {
    const { address, id, action, app, status, detail } = entry
    const own = [address, id, action, app, status, detail].join('\n')
    const key = heldBack.has(own) || heldBack.size < mostKinds ? own : ''
    const before = heldBack.get(key)
    if (before !== undefined) {
      before.count += 1
      return
    }
    const held = key === '' ? { ...entry, address: 'many', detail: 'tries of many kinds' } : entry
    heldBack.set(key, { until: entry.at + together, entry: held, count: 0 })
    if (status >= 400) {
      log('warn', 'a request was refused', {
        address: held.address,
        action,
        app,
        status,
        detail: held.detail,
      })
    }
    await write(held)
  }

  return {
    async answered({ caller, app, detail, isKept = false }, route, request, status) {
      const isRefused = status === 401 || status === 403 || status === 429
      const isStranger = caller.kind === 'anybody'
      const isChange = route.method !== 'GET' || isKept
      if (!isChange && !(isRefused && (isStranger || status !== 429))) return
      const entry: AuditEntry = {
        at: clock.now(),
        by: caller.kind,
        id: caller.id,
        who: caller.name,
        address: addressOf(request.socket),
        action: route.name,
        app: app.slice(0, longest),
        status,
        detail: detail.slice(0, longest),
        count: 1,
      }
      await (isRefused || isStranger ? collapse(entry) : write(entry))
    },
    async flush(all = false) {
      const now = clock.now()
      for (const [key, { until, entry, count }] of heldBack) {
        if (!all && until > now) continue
        heldBack.delete(key)
        if (count > 0) await write({ ...entry, at: now, count })
      }
    },
  }
}
