/** Holds data against a schema: all faults at once, and what of the data can be used in spite of them. */
import * as z from 'zod/mini'
import type { YamlPath } from '../yaml/find-node.ts'
import { isList, isRecord } from '#model/json.ts'
import { faultsOf, valueAt, type Hints, type PlacedFault } from './faults.ts'

type Examined<Data> = {
  /** Undefined when nothing of it can be used. What is at fault is left out of it. */
  readonly data: Data | undefined
  readonly faults: readonly PlacedFault[]
  /** From a path in `data` to the path as written: items of lists may have been left out. */
  original(path: YamlPath): YamlPath
}

/**
 * A field that is there without a value (`args:` with nothing behind it, as templates leave it) counts as not there; an
 * unknown one is unknown all the same. `blanks` stand in for required fields so that the rest can still be used.
 */
export function examine<Data>(
  schema: z.ZodMiniType<Data>,
  raw: unknown,
  blanks: object = {},
  hints: Hints = {},
): Examined<Data> {
  const clean = withoutNulls(raw)
  const first = z.safeParse(schema, clean, { jitless: true })
  const unknown = unknownOnly(schema, raw, hints)
  if (first.success) return { data: first.data, faults: unknown, original: (path) => path }
  const found = faultsOf({ schema, data: clean, hints }, first.error.issues)
  const known = new Set(found.map((fault) => fault.path.join('\0')))
  const faults = [...found, ...unknown.filter((fault) => !known.has(fault.path.join('\0')))]
  return { ...salvage(schema, clean, found, blanks), faults }
}

/** Unknown fields without a value, which dropping the nulls would hide. */
function unknownOnly(schema: z.ZodMiniType, raw: unknown, hints: Hints): readonly PlacedFault[] {
  if (!hasNulls(raw)) return []
  const parsed = z.safeParse(schema, raw, { jitless: true })
  if (parsed.success) return []
  const faults = faultsOf({ schema, data: raw, hints }, parsed.error.issues)
  return faults.filter((one) => one.code === 'unknown_field')
}

/** Takes away what is at fault until the rest holds. Items taken from lists leave holes, which keep the places right. */
function salvage<Data>(
  schema: z.ZodMiniType<Data>,
  data: unknown,
  faults: readonly PlacedFault[],
  blanks: object,
): Omit<Examined<Data>, 'faults'> {
  let holed = data
  let wrong = faults
  for (let round = 0; round < 20 && wrong.length > 0; round++) {
    const before = holed
    const paths = wrong.map((fault) => withHoles(before, removedBy(fault)))
    holed = paths.reduce<unknown>(removed, holed)
    const rest = withBlanks(holed, blanks)
    const parsed = z.safeParse(schema, rest, { jitless: true })
    const left = holed
    if (parsed.success) return { data: parsed.data, original: (path) => withHoles(left, path) }
    wrong = faultsOf({ schema, data: rest, hints: {} }, parsed.error.issues)
  }
  return { data: undefined, original: (path) => path }
}

/** What is missing takes what it is missing from along. */
function removedBy(fault: PlacedFault): YamlPath {
  return fault.code === 'missing_field' ? fault.path.slice(0, -1) : fault.path
}

function removed(data: unknown, path: YamlPath): unknown {
  const [part, ...rest] = path
  if (isList(data) && typeof part === 'number') {
    return data.map((item, index) => {
      if (index !== part) return item
      return rest.length === 0 ? undefined : removed(item, rest)
    })
  }
  if (!isRecord(data) || part === undefined || !Object.hasOwn(data, part)) return data
  if (rest.length > 0) return { ...data, [part]: removed(data[part], rest) }
  return Object.fromEntries(Object.entries(data).filter(([key]) => key !== part))
}

function withBlanks(data: unknown, blanks: object): unknown {
  return isRecord(data) ? { ...blanks, ...closed(data) } : { ...blanks }
}

function closed(data: { readonly [key: string]: unknown }): { readonly [key: string]: unknown } {
  return Object.fromEntries(
    Object.entries(data).map(([key, value]) => {
      if (isList(value)) return [key, value.filter((item) => item !== undefined)]
      return [key, isRecord(value) ? closed(value) : value]
    }),
  )
}

/** The place, in data with holes, of what has this place without them. */
function withHoles(data: unknown, path: YamlPath): YamlPath {
  let here = data
  return path.map((part) => {
    if (isList(here) && typeof part === 'number') {
      const filled = [...here.keys()].filter((index) => valueAt(here, [index]) !== undefined)
      const index = filled[part] ?? part
      here = here[index]
      return index
    }
    here = valueAt(here, [part])
    return part
  })
}

function withoutNulls(value: unknown): unknown {
  if (isList(value)) return value.map(withoutNulls)
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, item]) => item !== null)
      .map(([key, item]) => [key, withoutNulls(item)]),
  )
}

function hasNulls(value: unknown): boolean {
  if (isList(value)) return value.some(hasNulls)
  return isRecord(value) ? Object.values(value).some(hasNulls) : value === null
}

/** `spec.ports[0].hostPort`, as messages say it. */
export function pathText(path: YamlPath): string {
  return path.reduce<string>((text, part) => {
    if (typeof part === 'number') return `${text}[${part}]`
    return text === '' ? part : `${text}.${part}`
  }, '')
}
