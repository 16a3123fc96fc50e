/** What differs between a wanted value and a recorded one, field by field, with secrets compared but never shown. */
import { isList, isRecord, type Json } from '#model/json.ts'
import type { Change } from '#model/plan.ts'
import { isDigest, isLater, isSealed, type Sealed, type Value } from '#model/value.ts'
import { digestOf, saltOf, type Vault } from '#model/vault.ts'
import { defined } from '#model/defined.ts'

/** The natural key of a list's item (a port's number, a mount's path), or undefined: then the list counts as one value. */
export type KeyOf = (path: string, item: Value) => string | undefined

export const masked = '******'
export const knownLater = '(known after apply)'

export function diffValue(
  wanted: Value,
  recorded: Json,
  vault: Vault,
  keyOf: KeyOf = () => undefined,
): readonly Change[] {
  const changes: Change[] = []
  compare('', wanted, recorded)
  return changes

  function compare(path: string, want: Value | undefined, have: Json | undefined): void {
    if (want === undefined || have === undefined) {
      if (want !== have) changes.push({ path, from: shown(have), to: shown(want) })
      return
    }
    if (isSealed(want)) {
      if (!isSameSecret(want, have, vault)) changes.push({ path, from: masked, to: masked })
      return
    }
    const hashed = isDigest(want) ? want.digest : undefined
    if (hashed !== undefined && isDigest(have)) {
      if (hashed !== have.digest) changes.push({ path, from: masked, to: masked })
      return
    }
    if (typeof want === 'string' && isDigest(have)) {
      const isSame = digestOf(want, saltOf(have.digest)) === have.digest
      if (!isSame) changes.push({ path, from: masked, to: want })
      return
    }
    if (isLater(want)) {
      changes.push({ path, from: shown(have), to: knownLater })
      return
    }
    if (isList<Value>(want) && isList<Json>(have)) {
      compareLists(path, want, have)
      return
    }
    if (isRecord<Value>(want) && isRecord<Json>(have) && !isDigest(have)) {
      for (const key of new Set([...Object.keys(want), ...Object.keys(have)])) {
        compare(under(path, key), want[key], have[key])
      }
      return
    }
    if (!isSameScalar(want, have)) changes.push({ path, from: shown(have), to: shown(want) })
  }

  function compareLists(path: string, want: readonly Value[], have: readonly Json[]): void {
    const wantedItems = keyed(path, want)
    const recordedItems = keyed(path, have)
    if (wantedItems === undefined || recordedItems === undefined) {
      if (isSameList(want, have, vault)) return
      // what is a secret now may have been told before
      const from = have.map((item, index) => (isSealed(want[index]) ? masked : shown(item)))
      changes.push({ path, from, to: shown(want) })
      return
    }
    for (const key of new Set([...wantedItems.keys(), ...recordedItems.keys()])) {
      compare(`${path}[${key}]`, wantedItems.get(key), recordedItems.get(key))
    }
  }

  /** The items by key, if every item has one and no two share it. */
  function keyed<Item extends Value>(
    path: string,
    items: readonly Item[],
  ): ReadonlyMap<string, Item> | undefined {
    const found = new Map<string, Item>()
    for (const item of items) {
      const key = keyOf(path, item)
      if (key === undefined || found.has(key)) return undefined
      found.set(key, item)
    }
    return found
  }
}

function under(path: string, key: string): string {
  if (!/^[\w-]+$/.test(key)) return `${path}[${key}]`
  return path === '' ? key : `${path}.${key}`
}

/** Whether two values are the same secret. That a field only now counts as secret makes nothing look changed. */
function isSameSecret(want: Sealed, have: Json, vault: Vault): boolean {
  if (isDigest(have)) return vault.digest(want, saltOf(have.digest)) === have.digest
  return typeof have === 'string' && Buffer.from(vault.open(want)).equals(Buffer.from(have))
}

function isSameScalar(want: Value, have: Json): boolean {
  if (typeof want === 'object' && want !== null) return false
  return want === have
}

function isSameList(want: readonly Value[], have: readonly Json[], vault: Vault): boolean {
  if (want.length !== have.length) return false
  return want.every((item, index) => diffValue(item, defined(have[index]), vault).length === 0)
}

/** The value for people: without secrets, and null where there is nothing. */
function shown(value: Value | undefined): Json {
  if (value === undefined) return null
  if (isSealed(value) || isDigest(value)) return masked
  if (isLater(value)) return knownLater
  if (isList<Value>(value)) return value.map(shown)
  if (!isRecord<Value>(value)) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, shown(item)]))
}
