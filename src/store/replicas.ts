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
import { changeDuties, dutyIn, endDuties, keepNote, parts } from './duties.ts'
import { keepLead, type Lead } from './lead.ts'
import { slotsFor } from './slots.ts'

type ReplicaTimes = {
  /** ms, by a clock of this process that nobody can set. */
  monotonic(): number
  /** After how much silence a replica counts as gone, ms. */
  readonly expiry: number
}

/** How long a message is kept for a replica that is slow, ms. */
const keptFor = 5 * 60_000
/** The pause between two clean-ups, ms. */
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
    const before = facts
    // what its row says is not known until an answer comes
    facts = ''
    const done = await database.transaction(async (inside) => {
      const held = await slotsIfAlive(inside, asked.self, before)
      if (held === undefined) return undefined
      const lead = await keepLead(inside, words.now, times.expiry, { id, ...asked.self })
      const replicas = await livingIn(inside, words.now)
      const isOther = JSON.stringify(asked.self) !== before || lead.isNew
      const slots = await written(inside, asked, replicas, held, isOther)
      const isFirst = cursor === undefined
      const told = await messagesAfter(inside, cursor)
      const all = isFirst ? await allDuties(inside) : undefined
      return { replicas, lead, told, all, slots }
    })
    if (done === undefined) throw lose(gone('it was silent for too long'))
    deadline = askedAt + times.expiry
    cursor = done.told.cursor
    facts = JSON.stringify(asked.self)
    // what was heard is told whether or not that goes well: it is not read again
    if (done.lead.id === id) await clean().catch(() => undefined)
    return answerOf(done, id)
  }

  /**
   * Never writes what is the same as before, save that it lives. The slots that it has are those of its row: the answer to an
   * exchange that gave some or took some may have been lost.
   */
  async function slotsIfAlive(
    inside: Query,
    next: ReplicaFacts,
    before: string,
  ): Promise<number | undefined> {
    const text = JSON.stringify(next)
    const [row] =
      text === before
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
    return row && numberIn(row, 'slots')
  }

  async function written(
    inside: Query,
    asked: Exchange,
    replicas: readonly ReplicaRow[],
    held: number,
    isOther: boolean,
  ): Promise<number> {
    const { changes, ended, messages, shown, self: next } = asked
    const { running, hasEnded, concurrency } = asked
    const need = { id, hasEnded, running, wants: next.wants, concurrency }
    const isEven = slotsFor({ ...need, replicas }) === held
    const hasWords = changes.length + ended.length + messages.length + shown.length > 0
    if (!hasWords && isEven && !isOther) return held
    for (const sql of words.lockReplicas) await inside.rows(sql)
    const told: Json[] = [...messages]
    for (const duty of await changeDuties(inside, changes, words.lockFree)) told.push({ duty })
    for (const key of await endDuties(inside, ended)) told.push({ ended: key })
    await show(inside, shown)
    await tell(inside, words.now, id, told)
    // under the lock nobody else gets one of the same
    const granted = slotsFor({ ...need, replicas: await livingIn(inside, words.now) })
    if (granted !== held) {
      await inside.change('update replicas set slots = ? where id = ?', [granted, id])
    }
    for (const sql of words.wakeReplicas) await inside.rows(sql)
    return granted
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
    keep: (duty, topic, note) => keepNote(database, { duty, holder: id, topic, note }),
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

/** Writes many rows in one statement: meanwhile all others wait for the lock, and the database may be far away. */
async function show(inside: Query, shown: Exchange['shown']): Promise<void> {
  const gone = shown.filter(({ body }) => body === undefined)
  for (const some of parts(gone)) {
    const places = some.map(() => '?').join(', ')
    const keys = some.map(({ key }) => key)
    await inside.change(`delete from replica_views where key in (${places})`, keys)
  }
  for (const some of parts(shown.filter(({ body }) => body !== undefined))) {
    const places = some.map(() => '(?, ?)').join(', ')
    await inside.change(
      `insert into replica_views (key, body) values ${places}
       on conflict (key) do update set body = excluded.body`,
      some.flatMap(({ key, body }) => [key, JSON.stringify(body)]),
    )
  }
}

async function tell(
  inside: Query,
  now: string,
  id: string,
  messages: readonly Json[],
): Promise<void> {
  for (const some of parts(messages)) {
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
