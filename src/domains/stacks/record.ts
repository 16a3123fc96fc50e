/** A spec as it goes on the object: without secrets, and without what is only about where its files lie. */
import { isRecord, type Json } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import { isLater, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import type { Vault } from '#model/vault.ts'

/** Secrets as salted hashes; what others yield stays until it is known. */
export function recordIn(spec: Value, vault: Vault): Value {
  if (!isRecord<Value>(spec) || isSealed(spec) || isLater(spec)) return spec
  const { about: _, ...rest } = spec
  return mapValue(rest, (leaf) => (isSealed(leaf) ? { digest: vault.digest(leaf) } : leaf))
}

/** With ids of containers as far as they are known. */
export function settledRecord(spec: Value, vault: Vault, ids: ReadonlyMap<Ref, string>): Json {
  return settled(
    mapValue(recordIn(spec, vault), (leaf) =>
      isLater(leaf) ? (ids.get(leaf.from) ?? `${leaf.from} ${leaf.output}`) : null,
    ),
  )
}
