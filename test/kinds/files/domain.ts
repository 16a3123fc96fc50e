/** The two ports of the kind `files`: a folder of files is kept as it was declared in another folder. */
import { createHmac } from 'node:crypto'
import { setTimeout } from 'node:timers/promises'
import { needsOf } from '#domains/containers/record.ts'
import type { Difference, Kind, Target } from '#model/domain.ts'
import { canonical, hashOf, isRecord, type Json } from '#model/json.ts'
import type { Group, Operation } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import { nameOf, type Ref } from '#model/ref.ts'
import type { Observed, Present, Resource } from '#model/resource.ts'
import { isDigest, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { saltOf, type Vault } from '#model/vault.ts'
import { readFile, readRecords, removeFile, writeFile, writeRecord } from './target-folder.ts'

export const filesKind: Kind = {
  compare,
  expand({ ref, step, cause, changes, wanted, seen, identity, vault }): Group {
    const name = nameOf(ref)
    const before = seen.kind === 'present' ? liveOf(seen) : undefined
    const old = { name, content: before?.content ?? null, record: before?.record ?? null }
    const record = wanted && {
      owner: identity.owner,
      spec: recordedSpec(wanted.spec, vault, undefined),
      needs: wanted.needs.map(({ ref: to, until, renew }) => ({ ref: to, until, renew })),
    }
    const write = operation('write', name, {
      name,
      spec: wanted?.spec ?? null,
      record: record ?? null,
    })
    const isDelete = step === 'delete'
    return {
      ref,
      step,
      cause,
      changes,
      needs: wanted?.needs ?? [],
      prepare: [],
      make: isDelete ? [] : [write],
      gate: isDelete ? 'none' : 'healthy',
      subject: name,
      undo: [operation('restore', name, old)],
      finish: isDelete ? [operation('remove', name, { name })] : [],
    }
  },
  keeps: () => undefined,
  subject: ({ ref }) => nameOf(ref),
  healthGate: () => 'healthy',
}

function operation(verb: string, name: string, payload: Value): Operation {
  const words = `${verb} ${name}`
  return { id: verb, verb, payload, after: [], words, disrupts: verb === 'remove' }
}

function compare(wanted: Resource, seen: Present, vault: Vault): Difference {
  const recorded = seen.recorded?.spec ?? null
  const to = recordedSpec(wanted.spec, vault, recorded)
  if (canonical(recorded) !== canonical(to)) {
    const change = { path: 'content', from: shownOf(recorded), to: shownOf(to) }
    return { kind: 'changed', how: 'update', cause: 'content changed', changes: [change] }
  }
  const { isAsRecorded } = liveOf(seen)
  if (isAsRecorded) return { kind: 'same' }
  return { kind: 'changed', how: 'update', cause: 'somebody changed the file', changes: [] }
}

/** Secrets are recorded by their salted hash. */
function recordedSpec(spec: Value, vault: Vault, before: Json | undefined): Json {
  return settled(
    mapValue(spec, (leaf) => {
      if (!isSealed(leaf)) throw new TypeError('files have no values of others')
      const old = isRecord<Json>(before) ? before['content'] : undefined
      const salt = isDigest(old) ? saltOf(old.digest) : undefined
      return { digest: vault.digest(leaf, salt) }
    }),
  )
}

function shownOf(spec: Json): Json {
  const content = isRecord<Json>(spec) ? (spec['content'] ?? null) : null
  return isDigest(content) ? '(secret)' : content
}

type Live = {
  readonly content: string | null
  readonly record: Json
  readonly isAsRecorded: boolean
}

function liveOf({ live }: Present): Live {
  const { content = null, record = null, isAsRecorded } = isRecord<Json>(live) ? live : {}
  return {
    content: typeof content === 'string' ? content : null,
    record,
    isAsRecorded: isAsRecorded === true,
  }
}

export function filesTarget(folder: string): Target {
  return {
    async observe({ owner, wanted }) {
      await latency()
      const world = new Map<Ref, Observed>()
      const records = readRecords(folder)
      for (const { ref } of wanted) world.set(ref, absentOrForeign(folder, nameOf(ref)))
      for (const [name, record] of records) {
        if (record.owner !== owner) continue
        world.set(`file/${name}`, seenOf(folder, name, record))
      }
      return world
    },
    async operate({ verb, payload }, context) {
      await latency()
      const { name, spec, record, content } = fieldsOf(payload)
      if (typeof name !== 'string') throw new TypeError('an operation without a name')
      if (verb === 'remove') removeFile(folder, name)
      else if (verb === 'restore') restore(folder, name, content ?? null, record ?? null)
      else {
        writeRecord(folder, name, recordIn(record ?? null))
        const wanted = fieldsOf(spec ?? null)['content']
        writeFile(folder, name, isSealed(wanted) ? context.open(wanted) : textIn(wanted))
      }
      return {}
    },
    async look(ref) {
      const content = readFile(folder, nameOf(ref))
      if (content === undefined) return { state: 'failed', message: 'the file is gone' }
      if (readFile(folder, `${nameOf(ref)}.lock`) !== undefined) {
        return { state: 'failed', message: 'somebody holds a lock on it' }
      }
      if (!nameOf(ref).endsWith('.json')) return { state: 'ok', message: 'the file is there' }
      try {
        JSON.parse(content)
        return { state: 'ok', message: 'it can be read' }
      } catch {
        return { state: 'failed', message: 'it is no JSON' }
      }
    },
    async *watch(_owner, signal) {
      yield ''
      await new Promise<void>((resolve) => {
        if (signal.aborted) resolve()
        else signal.addEventListener('abort', () => resolve(), { once: true })
      })
    },
  }
}

/** A call takes as long as one to a real engine, where a test or a benchmark says how long that is. */
export async function latency(): Promise<void> {
  const milliseconds = Number(process.env['TEND_FILES_LATENCY'] ?? 0)
  if (milliseconds > 0) await setTimeout(milliseconds)
}

/** A file that nobody recorded is a stranger's: it is not touched. */
function absentOrForeign(folder: string, name: string): Observed {
  if (readFile(folder, name) === undefined) return { kind: 'absent' }
  return { kind: 'unknown', why: `${name} is there and not ours` }
}

function seenOf(folder: string, name: string, record: ReturnType<typeof recordIn>): Observed {
  const content = readFile(folder, name)
  const needs = needsOf(record.needs) ?? []
  const { spec } = record
  const declared = isRecord<Json>(spec) ? spec['content'] : undefined
  const isAsRecorded = isDigest(declared)
    ? content !== undefined && digestOf(saltOf(declared.digest), content) === declared.digest
    : content === declared
  return {
    kind: 'present',
    recorded: { hash: hashOf(spec), spec, needs },
    outputs: {},
    live: {
      content: isDigest(declared) ? null : (content ?? null),
      record: { ...record },
      isAsRecorded,
    },
    spares: [],
  }
}

function digestOf(salt: string, content: string): string {
  return `${salt}:${createHmac('sha256', salt).update(content).digest('hex')}`
}

function textIn(value: Value | undefined): string {
  return typeof value === 'string' ? value : ''
}

function fieldsOf(value: Value): { readonly [key: string]: Value } {
  return isRecord<Value>(value) ? { ...value } : {}
}

function restore(folder: string, name: string, content: Value, record: Value): void {
  if (typeof content !== 'string' || record === null) return removeFile(folder, name)
  writeRecord(folder, name, recordIn(record))
  writeFile(folder, name, content)
}

function recordIn(record: Value): {
  readonly owner: string
  readonly spec: Json
  readonly needs: Json
} {
  const { owner, spec, needs } = fieldsOf(record)
  if (typeof owner !== 'string') {
    throw new Problem({ type: 'runtime', code: 'bug', message: 'a record without an owner' })
  }
  return { owner, spec: settled(spec ?? null), needs: settled(needs ?? null) }
}
