/** Reading settings out of nodes: each reader says what it expects and where it was disappointed. */
import { KustomizeError } from '../error.ts'
import { type Node, isNull } from './node.ts'
import { settingKey } from './plain.ts'
import { resolveOld } from './scalar.ts'
import { defined } from '#model/defined.ts'

/** `isStrict`: unknown fields are mistakes. `isLoose`: a number or boolean may stand where text is wanted. */
export type Source = {
  readonly file: string
  readonly isStrict: boolean
  readonly isLoose: boolean
  /** Names of fields count letter by letter, small and large. */
  readonly isExact?: boolean
}

export type Reader<Value> = (node: Node, source: Source) => Value

/** Null counts as not given. */
export const text: Reader<string> = (node, source) => {
  if (isNull(node)) return ''
  if (node.kind !== 'scalar') return wrong(node, source, 'text')
  if (node.tag !== '!!str' && node.tag !== '!!timestamp' && !source.isLoose) {
    return wrong(node, source, 'text', `put it in quotes: "${node.value}"`)
  }
  return node.value
}

/** Text that must be text even where others may be numbers. */
export const strictText: Reader<string> = (node, source) =>
  text(node, { ...source, isLoose: source.isExact === true })

export const flag: Reader<boolean> = (node, source) => {
  if (isNull(node)) return false
  const value =
    node.kind === 'scalar' && node.tag === '!!bool' ? resolveOld(node.value)[1] : undefined
  return typeof value === 'boolean' ? value : wrong(node, source, 'true or false')
}

export const whole: Reader<number> = (node, source) => {
  if (isNull(node)) return 0
  const isNumber = node.kind === 'scalar' && (node.tag === '!!int' || node.tag === '!!float')
  const value = isNumber ? Number(resolveOld(node.value)[1]) : Number.NaN
  return Number.isInteger(value) ? value : wrong(node, source, 'a whole number')
}

/** Whatever it is, nobody reads it. */
export const anything: Reader<Node> = (node) => node

export function list<Value>(item: Reader<Value>): Reader<readonly Value[] | undefined> {
  return (node, source) => {
    if (isNull(node)) return undefined
    if (node.kind !== 'list') return wrong(node, source, 'a list')
    return node.content.map((one) => item(one, source))
  }
}

export const texts = list(text)
export const strictTexts = list(strictText)

export const textMap: Reader<ReadonlyMap<string, string> | undefined> = (node, source) => {
  if (isNull(node)) return undefined
  if (node.kind !== 'map') return wrong(node, source, 'a map')
  const map = new Map<string, string>()
  for (let i = 0; i < node.content.length; i += 2) {
    map.set(settingKey(defined(node.content[i])), text(defined(node.content[i + 1]), source))
  }
  return map
}

/** The fields of a record by name; letters may be large or small. */
export type Fields = { readonly [name: string]: Reader<unknown> }
export type Values<Of extends Fields> = {
  readonly [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined>
}

export function record<Of extends Fields>(fields: Of): Reader<Values<Of> | undefined> {
  const names = new Map(Object.keys(fields).map((name) => [name.toLowerCase(), name]))
  return (node, source) => {
    if (isNull(node)) return undefined
    if (node.kind !== 'map') return wrong(node, source, 'a map')
    const values: { [Name in keyof Of]?: Exclude<ReturnType<Of[Name]>, undefined> } = {}
    for (let i = 0; i < node.content.length; i += 2) {
      const key = defined(node.content[i])
      const similar = source.isExact === true ? undefined : names.get(key.value.toLowerCase())
      const name = Object.hasOwn(fields, key.value) ? key.value : similar
      if (name === undefined) {
        if (!source.isStrict) continue
        const known = nearest(key.value, Object.keys(fields))
        const hint = known === undefined ? '' : `; did you mean ${known}?`
        throw new KustomizeError(`there is no field ${key.value} here${hint}`, placeOf(key, source))
      }
      const value = defined(fields[name])(defined(node.content[i + 1]), source)
      if (value === undefined) Reflect.deleteProperty(values, name)
      else Object.assign(values, { [name]: value })
    }
    return values
  }
}

export function placeOf(node: Node, source: Source) {
  return { file: source.file, line: node.line }
}

function wrong(node: Node, source: Source, wanted: string, hint?: string): never {
  const found =
    node.kind === 'scalar' ? (node.tag === '!!str' ? 'text' : node.value) : `a ${node.kind}`
  const advice = hint === undefined ? '' : `; ${hint}`
  throw new KustomizeError(`expected ${wanted} but found ${found}${advice}`, placeOf(node, source))
}

/** A name that differs in one or two letters. */
function nearest(name: string, known: readonly string[]): string | undefined {
  return known.find((one) => distance(name.toLowerCase(), one.toLowerCase()) <= 2)
}

function distance(a: string, b: string): number {
  if (Math.abs(a.length - b.length) > 2) return 3
  let row = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const after = [i]
    for (let j = 1; j <= b.length; j++) {
      const same = defined(row[j - 1]) + (a[i - 1] === b[j - 1] ? 0 : 1)
      after.push(Math.min(same, defined(row[j]) + 1, defined(after[j - 1]) + 1))
    }
    row = after
  }
  return defined(row[b.length])
}
