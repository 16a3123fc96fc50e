/** Replicas over a database: each says in one transaction that it lives and what it does, and hears what the others do. */
import { randomUUID } from 'node:crypto'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type {
  Duty,
  Exchange,
  Exchanged,
  Membership,
  Message,
  ReplicaFacts,
  ReplicaRow,
  Replicas,
} from '#model/replicas.ts'
import { numberIn, textIn, type Database, type Query, type Row } from './database.ts'
import { changeDuties, dutyIn, endDuties } from './duties.ts'
import { keepLead, type Lead } from './lead.ts'
import { slotsFor } from './slots.ts'

type ReplicaTimes = {
  /** ms, by a clock of this process that nobody can set. */
  monotonic(): number
  /** One that said nothing for so long counts as gone, ms. */
  readonly expiry: number
}

/** So long a message is kept for one that is slow, ms. */
const keptFor = 5 * 60_000
/** Between two clean-ups, ms. */
const cleansEvery = 60_000

export function replicasOver(database: Database, times: ReplicaTimes): Replicas {
  return {
    listen: (tell) => database.listen?.(tell) ?? (() => undefined),
    join: (self) => join(database, times, self),
  }
}

async function join(
  database: Database,
  times: ReplicaTimes,
  self: ReplicaFacts,
): Promise<Membership> {
  const { words } = database
  const id = randomUUID()
  const control = new AbortController()
  let deadline = times.monotonic() + times.expiry
  /** Undefined: all duties are still to be read. */
  let cursor: number | undefined
  let slots = 0
  let facts = ''
  let cleanedAt = times.monotonic()
  let hasLeft = false

  await database.change(
    `insert into replicas (id, expires_at, slots, facts) values (?, ${words.now} + ?, 0, ?)`,
    [id, times.expiry, JSON.stringify(self)],
  )
  const timer = setInterval(() => {
    if (times.monotonic() >= deadline) lose(gone("the database can't be reached"))
  }, 250)
  timer.unref()

  function lose(problem: Problem): Problem {
    clearInterval(timer)
    if (!hasLeft && !control.signal.aborted) control.abort(problem)
    return problem
  }

  async function exchange(asked: Exchange): Promise<Exchanged> {
    control.signal.throwIfAborted()
    const askedAt = times.monotonic()
    const done = await database.transaction(async (inside) => {
      if (!(await isAlive(inside, asked.self))) return undefined
      const lead = await keepLead(inside, words.now, times.expiry, { id, ...asked.self })
      const replicas = await livingIn(inside, words.now)
      const isWritten = await written(inside, asked, replicas, lead.isNew)
      const isFirst = cursor === undefined
      const told = await messagesAfter(inside, cursor)
      const all = isFirst ? await allDuties(inside) : undefined
      return { replicas, lead, told, all, ...isWritten }
    })
    if (done === undefined) throw lose(gone('it was silent for too long'))
    deadline = askedAt + times.expiry
    cursor = done.told.cursor
    slots = done.slots
    facts = JSON.stringify(asked.self)
    if (done.lead.id === id) await clean()
    return answerOf(done, id)
  }

  /** Never writes what is the same as before, save that it lives. */
  async function isAlive(inside: Query, next: ReplicaFacts): Promise<boolean> {
    const text = JSON.stringify(next)
    const [row] =
      text === facts
        ? await inside.rows(
            `update replicas set expires_at = ${words.now} + ? where id = ?
             and expires_at > ${words.now} returning slots`,
            [times.expiry, id],
          )
        : await inside.rows(
            `update replicas set expires_at = ${words.now} + ?, facts = ? where id = ?
             and expires_at > ${words.now} returning slots`,
            [times.expiry, text, id],
          )
    return row !== undefined
  }

  async function written(
    inside: Query,
    asked: Exchange,
    replicas: readonly ReplicaRow[],
    isNewLead: boolean,
  ): Promise<{ readonly slots: number }> {
    const { changes, ended, messages, shown, running, self: next, concurrency } = asked
    const isOther = JSON.stringify(next) !== facts
    const need = { id, running, wants: next.wants, concurrency }
    const isEven = slotsFor({ ...need, replicas }) === slots
    const hasWords = changes.length + ended.length + messages.length + shown.length > 0
    if (!hasWords && isEven && !isOther && !isNewLead) return { slots }
    for (const sql of words.lockReplicas) await inside.rows(sql)
    const told: Json[] = [...messages]
    for (const duty of await changeDuties(inside, changes)) told.push({ duty })
    for (const key of await endDuties(inside, ended)) told.push({ ended: key })
    await show(inside, shown)
    await tell(inside, words.now, id, told)
    // under the lock nobody else gets one of the same
    const granted = slotsFor({ ...need, replicas: await livingIn(inside, words.now) })
    if (granted !== slots) {
      await inside.change('update replicas set slots = ? where id = ?', [granted, id])
    }
    for (const sql of words.wakeReplicas) await inside.rows(sql)
    return { slots: granted }
  }

  async function clean(): Promise<void> {
    if (times.monotonic() - cleanedAt < cleansEvery) return
    cleanedAt = times.monotonic()
    const sql = `delete from replica_messages where at < ${words.now} - ?`
    await database.change(sql, [keptFor])
    await database.change(`delete from replicas where expires_at < ${words.now} - ?`, [keptFor])
  }

  return {
    id,
    lost: control.signal,
    isHeld: () => !hasLeft && !control.signal.aborted && times.monotonic() < deadline,
    exchange,
    async shown() {
      const rows = await database.rows('select key, body from replica_views')
      return new Map(rows.map((row) => [textIn(row, 'key'), jsonIn(row)]))
    },
    async leave() {
      hasLeft = true
      clearInterval(timer)
      await database.transaction(async (inside) => {
        for (const sql of words.lockReplicas) await inside.rows(sql)
        await inside.change('delete from replicas where id = ?', [id])
        await inside.change(
          "update leases set token = '', expires_at = 0 where key = 'service' and token = ?",
          [id],
        )
        for (const sql of words.wakeReplicas) await inside.rows(sql)
      })
    },
  }
}

function gone(why: string): Problem {
  const message = `this replica no longer counts as alive: ${why}`
  return new Problem({ type: 'runtime', code: 'held', message, recoverable: true })
}

type MessagesRead = { readonly cursor: number; readonly messages: readonly Message[] }

async function messagesAfter(inside: Query, cursor: number | undefined): Promise<MessagesRead> {
  if (cursor === undefined) {
    const [row] = await inside.rows('select coalesce(max(number), 0) as last from replica_messages')
    return { cursor: row === undefined ? 0 : numberIn(row, 'last'), messages: [] }
  }
  const sql =
    'select number, replica, body from replica_messages where number > ? order by number limit 5000'
  const rows = await inside.rows(sql, [cursor])
  const last = rows.at(-1)
  return {
    cursor: last === undefined ? cursor : numberIn(last, 'number'),
    messages: rows.map((row) => ({ from: textIn(row, 'replica'), body: jsonIn(row) })),
  }
}

async function allDuties(inside: Query): Promise<readonly Duty[]> {
  return (await inside.rows('select key, target, engine, host, holder from duties')).map(dutyIn)
}

async function livingIn(inside: Query, now: string): Promise<readonly ReplicaRow[]> {
  const rows = await inside.rows(
    `select id, slots, facts, expires_at - ${now} as left_over from replicas
     where expires_at > ${now} order by id`,
  )
  return rows.map((row) => {
    const facts: ReplicaFacts = JSON.parse(textIn(row, 'facts'))
    const [slots, expiresIn] = [numberIn(row, 'slots'), numberIn(row, 'left_over')]
    return { ...facts, id: textIn(row, 'id'), slots, expiresIn }
  })
}

async function show(inside: Query, shown: Exchange['shown']): Promise<void> {
  for (const { key, body } of shown) {
    if (body === undefined) {
      await inside.change('delete from replica_views where key = ?', [key])
      continue
    }
    await inside.change(
      `insert into replica_views (key, body) values (?, ?)
       on conflict (key) do update set body = excluded.body`,
      [key, JSON.stringify(body)],
    )
  }
}

async function tell(
  inside: Query,
  now: string,
  id: string,
  messages: readonly Json[],
): Promise<void> {
  const atOnce = 200
  for (let from = 0; from < messages.length; from += atOnce) {
    const some = messages.slice(from, from + atOnce)
    const places = some.map(() => `(${now}, ?, ?)`).join(', ')
    const cells = some.flatMap((body) => [id, JSON.stringify(body)])
    await inside.change(`insert into replica_messages (at, replica, body) values ${places}`, cells)
  }
}

function answerOf(
  done: {
    readonly replicas: readonly ReplicaRow[]
    readonly lead: Lead
    readonly told: MessagesRead
    readonly all: readonly Duty[] | undefined
    readonly slots: number
  },
  id: string,
): Exchanged {
  const { replicas, lead, told, all, slots } = done
  const duties = new Map((all ?? []).map((duty) => [duty.key, duty]))
  const ended = new Set<string>()
  const messages: Message[] = []
  for (const message of told.messages) {
    const { body } = message
    if (isDutyMessage(body)) {
      duties.set(body.duty.key, body.duty)
      ended.delete(body.duty.key)
    } else if (isEndMessage(body)) {
      duties.delete(body.ended)
      ended.add(body.ended)
    } else if (message.from !== id) messages.push(message)
  }
  return {
    replicas,
    leader: lead.id,
    alone: lead.alone,
    duties: [...duties.values()],
    endedDuties: [...ended],
    messages,
    slots,
  }
}

function isDutyMessage(body: unknown): body is { readonly duty: Duty } {
  return typeof body === 'object' && body !== null && 'duty' in body
}

function isEndMessage(body: unknown): body is { readonly ended: string } {
  return typeof body === 'object' && body !== null && 'ended' in body
}

function jsonIn(row: Row): Json {
  return JSON.parse(textIn(row, 'body'))
}
