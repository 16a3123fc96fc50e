/** Shapes: one description of what may be written for a value, how it becomes the JSON of the resolved model, how that JSON is written when it is hashed, and its type. */
import type { Form } from '../canonical/canonical-form.ts'
import { problemAt, type ComposeProblem } from '../compose-error.ts'
import { describe, put, type Json, type Node } from '../yaml/node.ts'
import type { Release } from '../canonical/release.ts'
import type { Path } from '../merge/path-rules.ts'
import type { MapRule, Rule } from './check.ts'
import { writeAny, writeMap } from './write.ts'

export type Decoding = {
  readonly problems: ComposeProblem[]
  readonly warn: (message: string) => void
  readonly release: Release
}

export type Shape<T extends Json = Json> = {
  /** what may be written, short syntaxes among it */
  readonly rule: Rule
  /** writes a short syntax out long */
  readonly form?: Form
  /** what stands below it by key, or by `*` where any key or item may stand */
  readonly below?: Readonly<Record<string, Shape>>
  /** what stands for nothing inside a list or a mapping */
  readonly zero: T
  /** undefined: there is nothing, or what is there is wrong and was reported */
  decode(node: Node, path: Path, to: Decoding): T | undefined
  /** whether a key with this value is left out */
  isEmpty(value: T): boolean
  write(value: T): string
}

/** The type of what a shape decodes. */
export type TypeOf<S extends Shape> = S['zero']

/** A single value; `convert` gives undefined for what does not fit. */
export function leaf<T extends Json>(
  rule: Rule,
  wanted: string,
  zero: T,
  convert: (node: Node, to: Decoding) => T | undefined,
): Shape<T> {
  return {
    rule,
    zero,
    isEmpty: (value) => value === zero,
    write: writeAny,
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      const value = convert(node, to)
      if (value === undefined) to.problems.push(misfit(node, path, wanted))
      return value
    },
  }
}

function misfit(node: Node, path: Path, wanted: string): ComposeProblem {
  const found = node.kind === 'text' ? `"${node.value}"` : describe(node)
  return problemAt(node.place, `${path.join('.')} must be ${wanted}, not ${found}`)
}

export function listOf<T extends Json>(item: Shape<T>): Shape<readonly T[]> {
  return {
    rule: { list: { items: item.rule } },
    below: { '*': item },
    get zero() {
      return []
    },
    isEmpty: (value) => value.length === 0,
    write: (value) => `[${value.map((inner) => item.write(inner)).join()}]`,
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      if (node.kind === 'list') {
        return node.items.map(
          (inner, i) => item.decode(inner, [...path, String(i)], to) ?? item.zero,
        )
      }
      to.problems.push(misfit(node, path, 'a list'))
      return undefined
    },
  }
}

/** No item may be there twice. */
export function setOf<T extends Json>(item: Shape<T>): Shape<readonly T[]> {
  return { ...listOf(item), rule: { list: { items: item.rule, isUnique: true } } }
}

/** Any keys of this kind, all with the same kind of value. `isOpen`: what has another key is let through. */
export function mapOf<T extends Json>(
  item: Shape<T>,
  like: RegExp,
  isOpen?: 'open',
): Shape<Readonly<Record<string, T>>> {
  const others = { like, rule: item.rule }
  return {
    rule: { map: isOpen === undefined ? { others } : { others, isOpen: true } },
    below: { '*': item },
    get zero() {
      return {}
    },
    isEmpty: (value) => Object.keys(value).length === 0,
    write: (value) => writeMap(value, (inner) => item.write(inner)),
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      if (node.kind !== 'map') {
        to.problems.push(misfit(node, path, 'a mapping'))
        return undefined
      }
      const object: Record<string, T> = {}
      for (const [key, inner] of node.entries) {
        put(object, key, item.decode(inner, [...path, key], to) ?? item.zero)
      }
      return object
    },
  }
}

/** `filled`: left out when empty. `given`: left out when not written. `always`: never left out. */
type Presence = 'filled' | 'given' | 'always'

export type Field<T extends Json = Json, When extends Presence = Presence> = {
  readonly shape: Shape<T>
  readonly when: When
  /** as it is written, where the model calls it something else */
  readonly from?: string
}

/** May be written, and is no part of the model. */
type Unread = { readonly unread: Rule }

export function given<T extends Json>(shape: Shape<T>): Field<T, 'given'> {
  return { shape, when: 'given' }
}

export function always<T extends Json>(shape: Shape<T>, from?: string): Field<T, 'always'> {
  return { shape, when: 'always', ...(from === undefined ? {} : { from }) }
}

type Fields = Readonly<Record<string, Shape | Field | Unread>>

type ValueOf<F> = F extends { readonly shape: { readonly zero: infer T } }
  ? T
  : F extends { readonly zero: infer T }
    ? T
    : never

type AlwaysIn<F> = {
  [K in keyof F]: F[K] extends { readonly when: 'always' } ? K : never
}[keyof F]
type UnreadIn<F> = { [K in keyof F]: F[K] extends Unread ? K : never }[keyof F]

/** What is left out when it is empty or not written is optional. */
type StructOf<F> = {
  readonly [K in AlwaysIn<F>]: ValueOf<F[K]>
} & {
  readonly [K in Exclude<keyof F, AlwaysIn<F> | UnreadIn<F>>]?: ValueOf<F[K]>
}

export type StructRule = Pick<MapRule, 'required' | 'isOpen'> & {
  /** without `x-…` */
  readonly isClosed?: true
  /** keys of the model that can't be written here */
  readonly except?: readonly string[]
}

/**
 * A mapping with known keys, in the order in which they are written. Its type follows from its fields; the
 * implementation below, which knows fields only as JSON, is the one place that the type has to be believed.
 */
export function struct<F extends Fields>(fields: F, more?: StructRule): Shape<StructOf<F>>
export function struct(
  fields: Fields,
  more: StructRule = {},
): Shape<Readonly<Record<string, Json>>> {
  const list = Object.entries(fields).flatMap(([key, field]) => {
    if ('unread' in field) return []
    return 'shape' in field
      ? [{ from: key, key, ...field }]
      : [{ from: key, key, shape: field, when: 'filled' as const }]
  })
  return {
    rule: { map: ruleOf(fields, more) },
    below: Object.fromEntries(list.map(({ from, shape }) => [from, shape])),
    get zero() {
      const zero: Record<string, Json> = {}
      for (const { key, shape, when } of list) if (when === 'always') zero[key] = shape.zero
      return zero
    },
    isEmpty: () => false,
    write(value) {
      const parts = list.flatMap(({ key, shape }) => {
        const inner = value[key]
        return inner === undefined ? [] : [`${JSON.stringify(key)}:${shape.write(inner)}`]
      })
      return `{${parts.join()}}`
    },
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      if (node.kind !== 'map') {
        to.problems.push(misfit(node, path, 'a mapping'))
        return undefined
      }
      const object: Record<string, Json> = {}
      for (const { from, key, shape, when } of list) {
        const inner = node.entries.get(from)
        const value = inner === undefined ? undefined : shape.decode(inner, [...path, from], to)
        if (when === 'always') object[key] = value ?? shape.zero
        else if (value !== undefined && !(when === 'filled' && shape.isEmpty(value)))
          object[key] = value
      }
      return object
    },
  }
}

/** Keys in the order of the alphabet, in which a suggestion for a misspelt one is looked for. */
function ruleOf(fields: Fields, { required, isOpen, isClosed, except = [] }: StructRule): MapRule {
  const keys = Object.entries(fields).flatMap(([key, field]): [string, Rule][] => {
    if (except.includes(key)) return []
    if ('unread' in field) return [[key, field.unread]]
    return 'shape' in field ? [[field.from ?? key, field.shape.rule]] : [[key, field.rule]]
  })
  return {
    keys: Object.fromEntries(keys.toSorted(([one], [other]) => (one < other ? -1 : 1))),
    ...(required === undefined ? {} : { required }),
    ...(isOpen === undefined ? {} : { isOpen }),
    ...(isClosed === undefined ? { hasExtensions: true } : {}),
  }
}

/** The same value where something else may be written for it. */
export function written<T extends Json>(rule: Rule, shape: Shape<T>): Shape<T> {
  return { ...shape, rule }
}

/** Where nothing may be written as well as nothing said. */
export function orNull<T extends Json>(shape: Shape<T>): Shape<T> {
  return written({ ...shape.rule, null: true }, shape)
}

/** The same value with a short syntax, and what writes that out long. */
export function short<T extends Json>(rule: Rule, form: Form, shape: Shape<T>): Shape<T> {
  return { ...shape, rule: { ...rule, ...shape.rule }, form }
}

/** Release 2 takes it and forgets it. */
export function since5<T extends Json>(shape: Shape<T>): Shape<T> {
  return {
    ...shape,
    decode: (node, path, to) => (to.release === 2 ? undefined : shape.decode(node, path, to)),
  }
}

/** Inside a mapping: nothing stays nothing. */
export function nullable<T extends Json>(shape: Shape<T>): Shape<T | null> {
  return {
    ...shape,
    rule: { ...shape.rule, null: true },
    zero: null,
    isEmpty: (value) => value !== null && shape.isEmpty(value),
    write: (value) => (value === null ? 'null' : shape.write(value)),
  }
}
