/** Keywords of maps. */
import { isObject } from './types.ts'
import { Outcome } from './outcome.ts'
import { fieldOf } from './references.ts'
import { patternOf } from './scalars.ts'
import type { Keywords, ValuePath } from './read-schema.ts'

type Fields = { readonly [key: string]: unknown }

export function propertyFaults(
  keywords: Keywords,
  value: Fields,
  path: ValuePath,
  outcome: Outcome,
): void {
  const { field, has, inside, check, draft, part } = keywords
  const keys = Object.keys(value)
  sizeFaults(keywords, keys.length, path, outcome)
  for (const name of textsOf(field('required'))) missing(name, `${name} is required, but missing`)

  const known = field('properties')
  const patterns = Object.keys(recordOf(field('patternProperties'))).map((source) => ({
    source,
    fits: patternOf(source, [...part.path, 'patternProperties']),
  }))
  for (const key of keys) {
    const held = fieldOf(value, key)
    const at = [...path, key]
    let isKnown = false
    if (isObject(known) && Object.hasOwn(known, key)) {
      isKnown = true
      add(check(inside('properties', key), held, at))
    }
    for (const { source, fits } of patterns) {
      if (!fits.test(key)) continue
      isKnown = true
      add(check(inside('patternProperties', source), held, at))
    }
    if (!isKnown && has('additionalProperties')) {
      isKnown = true
      other('additionalProperties', key, held, at)
    }
    if (isKnown) outcome.seen.add(key)
    if (has('propertyNames') && draft > 4) {
      const named = check(inside('propertyNames'), key, at)
      for (const { message } of named.faults)
        outcome.faults.push({ path, key, message: `the key ${JSON.stringify(key)}: ${message}` })
    }
  }
  dependencyFaults(keywords, value, path, outcome)
  if (!has('unevaluatedProperties') || draft < 2019) return
  for (const key of keys) {
    if (outcome.seen.has(key)) continue
    other('unevaluatedProperties', key, fieldOf(value, key), [...path, key])
    outcome.seen.add(key)
  }

  function add(found: Outcome): void {
    for (const fault of found.faults) outcome.faults.push(fault)
  }
  function missing(name: string, message: string): void {
    if (!Object.hasOwn(value, name))
      outcome.faults.push({ path, message, key: name, isMissing: true })
  }
  function other(keyword: string, key: string, held: unknown, at: ValuePath): void {
    if (field(keyword) === false)
      outcome.faults.push({ path, key, message: `${key} is not known here` })
    else add(check(inside(keyword), held, at))
  }
}

function sizeFaults({ field }: Keywords, size: number, path: ValuePath, { faults }: Outcome): void {
  const [least, most] = [field('minProperties'), field('maxProperties')]
  if (typeof least === 'number' && size < least)
    faults.push({ path, message: `expected at least ${least} keys, found ${size}` })
  if (typeof most === 'number' && size > most)
    faults.push({ path, message: `expected at most ${most} keys, found ${size}` })
}

/** What one key asks of the others. */
function dependencyFaults(
  { field, inside, check, draft }: Keywords,
  value: Fields,
  path: ValuePath,
  outcome: Outcome,
): void {
  function needs(key: string, names: readonly string[]): void {
    for (const name of names) {
      if (Object.hasOwn(value, name)) continue
      const message = `${name} is required beside ${key}, but missing`
      outcome.faults.push({ path, message, key: name, isMissing: true })
    }
  }
  for (const [key, wanted] of Object.entries(recordOf(field('dependencies')))) {
    if (!Object.hasOwn(value, key)) continue
    if (Array.isArray(wanted)) needs(key, textsOf(wanted))
    else if (typeof wanted === 'string') needs(key, [wanted])
    else outcome.take(check(inside('dependencies', key), value, path))
  }
  if (draft < 2019) return
  for (const [key, wanted] of Object.entries(recordOf(field('dependentRequired'))))
    if (Object.hasOwn(value, key)) needs(key, textsOf(wanted))
  for (const key of Object.keys(recordOf(field('dependentSchemas'))))
    if (Object.hasOwn(value, key)) outcome.take(check(inside('dependentSchemas', key), value, path))
}

function recordOf(value: unknown): Fields {
  return isObject(value) ? value : {}
}

function textsOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.filter((each) => typeof each === 'string') : []
}
