/** Builds operations, so that each says in words and as a command what it does. */
import { operationOf, type Wording } from '#domains/containers/operation.ts'
import type { Labels } from '#domains/containers/record.ts'
import type { Expansion } from '#model/domain.ts'
import { hashOf, isRecord } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { isLater, isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { recordIn } from '../record.ts'

export type Verb =
  | 'image.get'
  | 'container.create'
  | 'container.files'
  | 'container.start'
  | 'container.restart'
  | 'container.stop'
  | 'container.rename'
  | 'container.remove'
  | 'container.drain'
  | 'container.unpause'
  | 'container.update'
  | 'container.hook'
  | 'container.still-there'
  | 'container.fill'
  | 'container.unfill'
  | 'container.signal'
  | 'container.given'
  | 'network.create'
  | 'network.remove'
  | 'network.connect'
  | 'network.disconnect'
  | 'network.unname'
  | 'volume.create'
  | 'volume.remove'
  | 'volume.try'
  | 'volume.still-there'

export function operation(wording: Wording<Verb>): Operation {
  return operationOf(wording)
}

/** The spec as it goes on the object: secrets as salted hashes; what others yield is filled in when it is known. */
export function recordedSpecOf({ wanted, vault }: Expansion): Value {
  return recordIn(wanted?.spec ?? null, vault)
}

/** Six characters that stand for what is made. */
export function shortHashOf(expansion: Expansion): string {
  const record = mapValue(recordedSpecOf(expansion), (leaf) =>
    isLater(leaf) ? `${leaf.from} ${leaf.output}` : null,
  )
  return hashOf(settled(record)).slice(0, 6)
}

/** The fields of a record; none of anything else. */
export function fieldsOf(value: Value | undefined): { readonly [key: string]: Value } {
  return isRecord<Value>(value) && !isSealed(value) && !isLater(value) ? value : {}
}

export function textsIn(value: Value | undefined): Labels {
  const entries = Object.entries(fieldsOf(value))
  return Object.fromEntries(
    entries.filter((entry): entry is [string, string] => typeof entry[1] === 'string'),
  )
}
