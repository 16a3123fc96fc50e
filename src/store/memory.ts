/** The store and the leases without a disk: what tests of the engine and the command line run on. */
import type { AuditLog, AuditRow } from '#model/audit.ts'
import { keyOf, type Application } from '#model/application.ts'
import type { Event } from '#model/event.ts'
import type { Json } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type {
  ApplicationRecord,
  AppRun,
  Lease,
  Leases,
  NewRun,
  Notes,
  RunPlace,
  RunRecord,
  Store,
  StoredSnapshot,
} from '#model/store.ts'
import { jsonText } from './json-text.ts'
import { sourceFacts } from './records.ts'
import { keptRuns } from './retention.ts'
import { defined } from '#model/defined.ts'

type KeptRun = {
  run: RunRecord
  isUninstalled: boolean
  snapshot: StoredSnapshot | undefined
  events: string[]
}

type KnownApplication = { record: Omit<ApplicationRecord, 'lastRun'>; readonly runs: KeptRun[] }

export function memoryStore(): Store {
  const known = new Map<string, KnownApplication>()

  function kept(application: Application, number: number): KeptRun | undefined {
    return known.get(keyOf(application))?.runs[number - 1]
  }

  function opened(application: Application, number: number): KeptRun {
    const found = kept(application, number)
    if (found !== undefined) return found
    throw new TypeError(`no run ${number} of ${keyOf(application)} was begun`)
  }

  return {
    async applications() {
      const keys = [...known.keys()].toSorted()
      return keys.map((key) => recordOf(defined(known.get(key))))
    },
    async application(application) {
      const found = known.get(keyOf(application))
      return found && recordOf(found)
    },
    async begin(run) {
      const key = keyOf(run.application)
      const runs = known.get(key)?.runs ?? []
      const { application, since, snapshot } = run
      const record = { application, since, source: snapshot.source, isUninstalled: false }
      known.set(key, { record, runs })
      runs.push(keptOf(run, runs.length + 1))
      forget(runs)
      return runs.length
    },
    async append(application, run, event) {
      if (event.type !== 'progress') opened(application, run).events.push(jsonText(event))
    },
    async end(application, number, { isUninstalled, ...result }) {
      const found = opened(application, number)
      found.run = { ...found.run, ...result }
      found.isUninstalled = isUninstalled
      const owner = defined(known.get(keyOf(application)))
      owner.record = { ...owner.record, isUninstalled }
    },
    async recent(most, after) {
      const all = [...known].toSorted(([one], [other]) => (one < other ? -1 : 1))
      return all
        .flatMap(([key, { runs }]) => runs.toReversed().map(({ run }) => ({ key, run })))
        .toSorted((one, other) => other.run.startedAt - one.run.startedAt)
        .filter((one) => after === undefined || isAfter(one, after))
        .slice(0, most)
    },
    async runs(application) {
      const runs = known.get(keyOf(application))?.runs ?? []
      return runs.map(({ run }) => run).toReversed()
    },
    async events(application, run) {
      const texts = kept(application, run)?.events ?? []
      return texts.map((text): Event => JSON.parse(text))
    },
    async snapshot(application, run) {
      return kept(application, run)?.snapshot
    },
    async close() {},
  }
}

type MemoryLeases = Leases & {
  /** Takes a lease away from whoever holds it, as an expiry would. */
  seize(key: string): void
}

export function memoryLeases(now: () => number): MemoryLeases {
  const held = new Map<string, { name: string; since: number; control: AbortController }>()
  let generation = 0
  return {
    async take(key, name): Promise<Lease | { name: string; since: number }> {
      const holder = held.get(key)
      if (holder !== undefined) return { name: holder.name, since: holder.since }
      const mine = { name, since: now(), control: new AbortController() }
      held.set(key, mine)
      async function release(): Promise<void> {
        if (held.get(key) === mine) held.delete(key)
      }
      generation += 1
      return {
        release,
        lost: mine.control.signal,
        generation,
        isHeld: () => held.get(key) === mine,
      }
    },
    seize(key) {
      const message = `the lease of ${key} was taken over`
      held.get(key)?.control.abort(new Problem({ type: 'runtime', code: 'held', message }))
      held.delete(key)
    },
  }
}

function isAfter({ key, run }: AppRun, { startedAt, key: name, number }: RunPlace): boolean {
  if (run.startedAt !== startedAt) return run.startedAt < startedAt
  return key === name ? run.number < number : key > name
}

function recordOf({ record, runs }: KnownApplication): ApplicationRecord {
  return { ...record, lastRun: runs.at(-1)?.run }
}

function keptOf({ trigger, version, startedAt, hash, snapshot }: NewRun, number: number): KeptRun {
  const run: RunRecord = {
    number,
    trigger,
    version,
    startedAt,
    endedAt: undefined,
    outcome: undefined,
    isRolledBack: false,
    summary: undefined,
    hash,
    hasSnapshot: true,
    ...sourceFacts(snapshot.source),
  }
  return { run, isUninstalled: false, snapshot, events: [] }
}

function forget(runs: readonly KeptRun[]): void {
  const last = runs.findLast(
    ({ run, isUninstalled }) => run.outcome === 'succeeded' && !isUninstalled,
  )
  for (const one of runs.slice(0, Math.max(0, runs.length - keptRuns))) {
    one.events = []
    if (one === last) continue
    one.snapshot = undefined
    one.run = { ...one.run, hasSnapshot: false }
  }
}

export function memoryNotes(): Notes {
  const topics = new Map<string, Map<string, Json>>()
  async function write(topic: string, key: string, note: Json | undefined): Promise<void> {
    const notes = topics.get(topic) ?? new Map<string, Json>()
    topics.set(topic, notes)
    if (note === undefined) notes.delete(key)
    else notes.set(key, structuredClone(note))
  }
  return {
    read: async (topic) => new Map(topics.get(topic)),
    get: async (topic, key) => topics.get(topic)?.get(key),
    async add(topic, key, note) {
      if (topics.get(topic)?.has(key) === true) return false
      await write(topic, key, note)
      return true
    },
    write,
  }
}

export function memoryAudit(): AuditLog {
  let rows: readonly AuditRow[] = []
  let last = 0
  return {
    async append(entry) {
      last += 1
      rows = [{ number: last, ...entry }, ...rows]
    },
    async read({ since = 0, app, who, before = Infinity, limit }) {
      const fits = ({ number, at, ...row }: AuditRow): boolean =>
        number < before &&
        at >= since &&
        (app === undefined || row.app === app) &&
        (who === undefined || row.who === who || row.id === who)
      return rows.filter(fits).slice(0, limit)
    },
    async forgetOld(kept, now) {
      rows = rows.filter(({ at, number }) => at >= now - kept.age && number > last - kept.rows)
    },
  }
}
