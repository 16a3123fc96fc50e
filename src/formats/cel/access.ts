/** Fields of maps and items of lists. What is not there is an error, or an optional value that is not there. */
import { toText } from './conversions.ts'
import { fail } from './error.ts'
import { isListValue, MapValue, Optional, typeOf, Uint, type Value } from './values.ts'

export function fieldOf(whole: Value, name: string, isOptional: boolean): Value {
  if (whole instanceof Optional) {
    return whole.value === undefined ? whole : fieldOf(whole.value, name, true)
  }
  if (!(whole instanceof MapValue)) return fail(`${typeOf(whole)} has no field ${name}`)
  const found = whole.get(name)
  if (isOptional) return new Optional(found)
  return found === undefined ? fail(`there is no key ${name}`) : found
}

export function itemOf(whole: Value, index: Value, isOptional: boolean): Value {
  if (whole instanceof Optional) {
    return whole.value === undefined ? whole : itemOf(whole.value, index, true)
  }
  const found = itemIn(whole, index)
  if (isOptional) return new Optional(found)
  if (found !== undefined) return found
  return fail(
    isListValue(whole) ? `the list has no item ${shown(index)}` : `there is no key ${shown(index)}`,
  )
}

function itemIn(whole: Value, index: Value): Value | undefined {
  if (whole instanceof MapValue) return whole.get(index)
  if (!isListValue(whole)) return fail(`${typeOf(whole)} has no items`)
  const at = index instanceof Uint ? index.value : index
  if (typeof at === 'number' && !Number.isInteger(at)) return fail(`${at} is no place in a list`)
  if (typeof at !== 'bigint' && typeof at !== 'number')
    return fail(`${typeOf(at)} is no place in a list`)
  return at < 0 ? undefined : whole[Number(at)]
}

function shown(value: Value): string {
  try {
    return toText(value)
  } catch {
    // only a message is made poorer
    return typeOf(value)
  }
}
