/** Data from outside as Go values: plain JavaScript in, a copy of its own out. */
import { toBytes } from './bytes.ts'
import { dict, int, list, type Value } from './values.ts'

/** A Go value that plain data can't be: files, a set of versions. */
export class GoValue {
  readonly value: Value

  constructor(value: Value) {
    this.value = value
  }
}

/**
 * Numbers become float64, as Helm's values are; a bigint becomes an int. What is not data (a function, a
 * symbol) becomes nil. The copy keeps what one template sets from the next one.
 */
export function fromData(data: unknown): Value {
  if (typeof data === 'string') return toBytes(data)
  if (typeof data === 'number' || typeof data === 'boolean') return data
  if (typeof data === 'bigint') return int(data)
  if (typeof data !== 'object' || data === null) return null
  if (data instanceof GoValue) return data.value
  if (Array.isArray(data)) return list(data.map(fromData))
  return dict(new Map(Object.entries(data).map(([key, held]) => [toBytes(key), fromData(held)])))
}
