/** Specs out of values: what render made, or what a label says it made. */
import { isRecord } from '#model/json.ts'
import { isLater, isSealed, type Value } from '#model/value.ts'

/** A function that gives back a value as a spec of this kind, and throws where it is none. */
export function specBy<Spec>(is: (value: Value) => value is Spec & Value): (value: Value) => Spec {
  return (value) => {
    if (is(value)) return value
    throw new TypeError('a spec of another kind')
  }
}

/** Whether it is a spec that has all these fields; every spec names its object. */
export function hasFields(value: Value, ...fields: readonly string[]): boolean {
  if (!isRecord<Value>(value) || isSealed(value) || isLater(value)) return false
  return 'object' in value && fields.every((field) => field in value)
}

/** The fields of a record; none of anything else. */
export function fieldsOf(value: Value | undefined): { readonly [key: string]: Value } {
  return isRecord<Value>(value) && !isSealed(value) && !isLater(value) ? value : {}
}
