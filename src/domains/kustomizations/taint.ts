/** Values that came from a secret and stand in other objects: where they are, out of the spec, and out of what is shown. Pure. */
import { createHmac } from 'node:crypto'
import { recordOf } from '#model/read-json.ts'
import { isList, isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { withoutSecrets } from '#model/secret-shapes.ts'
import { isSealed, leavesOf, type Sealed, type Value } from '#model/value.ts'
import { digestOf } from '#model/vault.ts'

/** Paths of leaves, each as the JSON of its keys and places. */
export type Tainted = ReadonlySet<string>

type Step = string | number

/**
 * The leaves of a value that another one has otherwise. It is made of the same text with other secrets in it: whatever differs came
 * from one, however it was cut, joined or turned into a number on its way.
 */
export function differing(value: Json, other: Json | undefined): Tainted {
  const found = new Set<string>()
  visit(value, other, [])
  return found

  function visit(one: Json, stand: Json | undefined, path: readonly Step[]): void {
    if (isList<Json>(one)) {
      const items = isList<Json>(stand) && stand.length === one.length ? stand : []
      one.forEach((item, index) => visit(item, items[index], [...path, index]))
    } else if (isRecord<Json>(one)) {
      const fields: JsonRecord = isRecord<Json>(stand) ? stand : {}
      for (const [key, item] of Object.entries(one)) visit(item, fields[key], [...path, key])
    } else if (one !== stand) found.add(JSON.stringify(path))
  }
}

/** What an object is known by can't be a secret: without it nobody could say which one is meant. */
const known = new Set(
  [['apiVersion'], ['kind'], ['metadata', 'name'], ['metadata', 'namespace']].map((path) =>
    JSON.stringify(path),
  ),
)

/**
 * The object with these leaves in the vault. A place is named by a keyed hash of what it holds, so that a spec whose secret changed is
 * another spec; nobody without the key learns from it whether a guess is right.
 */
export function withSealed(
  object: Value,
  tainted: Tainted,
  ref: Ref,
  secrets: Map<string, Uint8Array>,
  seed: Uint8Array,
): Value {
  if (tainted.size === 0) return object
  return visit(object, [])

  function visit(value: Value, path: readonly Step[]): Value {
    if (isSealed(value)) return value
    if (isList<Value>(value)) return value.map((item, index) => visit(item, [...path, index]))
    if (isRecord<Value>(value)) {
      const fields = Object.entries(value)
      return Object.fromEntries(fields.map(([key, item]) => [key, visit(item, [...path, key])]))
    }
    const at = JSON.stringify(path)
    if (!tainted.has(at) || known.has(at) || value === null) return value
    const isText = typeof value === 'string'
    const content = isText ? value : JSON.stringify(value)
    const mark = createHmac('sha256', seed).update(`${at} ${content}`).digest('hex').slice(0, 16)
    const id = `${ref}${isText ? textMark : jsonMark}${mark}${at}`
    secrets.set(id, Buffer.from(content))
    return { sealed: id }
  }
}

const textMark = '#value:'
const jsonMark = '#json:'

/** A number stays one. */
export function contentOf({ sealed }: Sealed, content: Uint8Array): Json {
  const text = Buffer.from(content).toString('utf8')
  return sealed.includes(jsonMark) && !sealed.includes(textMark) ? JSON.parse(text) : text
}

/** What stands at its place in a living object, for whoever does not have the vault. Undefined: it is no such place. */
export function standingAt({ sealed }: Sealed, live: JsonRecord | undefined): Json | undefined {
  const mark = [textMark, jsonMark].find((one) => sealed.includes(one))
  if (mark === undefined) return undefined
  const from = sealed.indexOf('[', sealed.lastIndexOf(mark))
  let at: Json | undefined = live ?? {}
  const path: readonly Step[] = JSON.parse(sealed.slice(from))
  for (const step of path) {
    if (isList<Json>(at)) at = at[Number(step)]
    else at = isRecord<Json>(at) ? at[String(step)] : undefined
  }
  return at ?? ''
}

/** A living object with digests in the places that its spec keeps in the vault. Items with names are found by them. */
export function hidden(object: JsonRecord, spec: Value, salt: string): JsonRecord {
  const shown = hide(object, spec)
  return isRecord<Json>(shown) ? shown : object

  function hide(have: Json, want: Value | undefined): Json {
    if (want === undefined) return have
    if (isSealed(want)) {
      // one that is hidden already
      if (isRecord<Json>(have) && typeof have['digest'] === 'string') return have
      return { digest: digestOf(typeof have === 'string' ? have : JSON.stringify(have), salt) }
    }
    if (isList<Json>(have)) {
      if (!isList<Value>(want)) return have
      const named = new Map(want.map((item) => [nameIn(item), item]))
      const isNamed = named.size === want.length && !named.has(undefined)
      return have.map((item, index) => hide(item, isNamed ? named.get(nameIn(item)) : want[index]))
    }
    if (!isRecord<Json>(have) || !isRecord<Value>(want)) return have
    const wanted = new Map(Object.entries(want))
    const fields = Object.entries(have)
    return Object.fromEntries(fields.map(([key, item]) => [key, hide(item, wanted.get(key))]))
  }
}

function nameIn(item: Value): string | undefined {
  const { name } = recordOf(item)
  return typeof name === 'string' ? name : undefined
}

/** What went wrong, without what the places of a spec hold: a server quotes the values that it refuses. */
export function untold(
  thrown: unknown,
  spec: Value,
  open: ((secret: Sealed) => Uint8Array) | undefined,
): Problem {
  const problem = problemOf(thrown)
  const leaves = open === undefined ? [] : leavesOf(spec).filter(isSealed)
  if (open === undefined || leaves.length === 0) return problem
  const secrets = leaves.map((leaf) => Buffer.from(open(leaf)).toString('utf8'))
  const tell = (text: string): string => withoutSecrets(text, secrets)
  const { message, details, cause: _, ...facts } = factsOf(problem)
  return new Problem({ ...facts, message: tell(message), details: (details ?? []).map(tell) })
}
