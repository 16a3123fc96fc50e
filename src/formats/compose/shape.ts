/** Shapes: how a tree becomes the JSON of the resolved model, and how that JSON is written when it is hashed. */
import { problemAt, type ComposeProblem } from './compose-error.ts'
import { describe, put, type Json, type JsonObject, type Node } from './node.ts'
import type { Release } from './release.ts'
import type { Path } from './rules.ts'

export type Decoding = {
  readonly problems: ComposeProblem[]
  readonly warn: (message: string) => void
  readonly release: Release
}

export type Shape = {
  /** undefined: there is nothing, or what is there is wrong and was reported */
  readonly decode: (node: Node, path: Path, to: Decoding) => Json | undefined
  /** what stands for nothing inside a list or a mapping */
  readonly zero: Json
  /** whether a key with this value is left out */
  readonly isEmpty: (value: Json) => boolean
  readonly write: (value: Json) => string
}

export function isObject(value: Json | undefined): value is JsonObject {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

export function isArray(value: Json | undefined): value is readonly Json[] {
  return Array.isArray(value)
}

/** A single value; `convert` gives undefined for what does not fit. */
export function leaf(
  wanted: string,
  zero: Json,
  convert: (node: Node, to: Decoding) => Json | undefined,
): Shape {
  return {
    zero,
    isEmpty: (value) => value === zero,
    write: (value) => (isArray(value) || isObject(value) ? writeAny(value) : writeScalar(value)),
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      const value = convert(node, to)
      if (value === undefined) to.problems.push(misfit(node, path, wanted))
      return value
    },
  }
}

export function misfit(node: Node, path: Path, wanted: string): ComposeProblem {
  const found = node.kind === 'text' ? `"${node.value}"` : describe(node)
  return problemAt(node.place, `${path.join('.')} must be ${wanted}, not ${found}`)
}

export function listOf(item: Shape): Shape {
  return {
    get zero() {
      return []
    },
    isEmpty: (value) => isArray(value) && value.length === 0,
    write: (value) => (isArray(value) ? `[${value.map(item.write).join()}]` : 'null'),
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

export function mapOf(item: Shape): Shape {
  return {
    get zero() {
      return {}
    },
    isEmpty: (value) => isObject(value) && Object.keys(value).length === 0,
    write: (value) => (isObject(value) ? writeMap(value, item) : 'null'),
    decode(node, path, to) {
      if (node.kind === 'null') return undefined
      if (node.kind !== 'map') {
        to.problems.push(misfit(node, path, 'a mapping'))
        return undefined
      }
      const object: Record<string, Json> = {}
      for (const [key, inner] of node.entries) {
        put(object, key, item.decode(inner, [...path, key], to) ?? item.zero)
      }
      return object
    },
  }
}

/** A mapping with known keys, in the order in which they are written. */
export function struct(fields: Readonly<Record<string, Shape | Field>>): Shape {
  const list = Object.entries(fields).map(([key, field]) =>
    'shape' in field
      ? { key, shape: field.shape, output: field.output ?? key, when: field.when }
      : { key, shape: field, output: key, when: 'filled' as const },
  )
  return {
    get zero() {
      const zero: Record<string, Json> = {}
      for (const { output, shape, when } of list) if (when === 'always') zero[output] = shape.zero
      return zero
    },
    isEmpty: () => false,
    write(value) {
      if (!isObject(value)) return 'null'
      const parts = list.flatMap(({ output, shape }) => {
        const inner = value[output]
        return inner === undefined ? [] : [`${JSON.stringify(output)}:${shape.write(inner)}`]
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
      for (const { key, output, shape, when } of list) {
        const inner = node.entries.get(key)
        const value = inner === undefined ? undefined : shape.decode(inner, [...path, key], to)
        if (when === 'always') object[output] = value ?? shape.zero
        else if (value !== undefined && !(when === 'filled' && shape.isEmpty(value)))
          object[output] = value
      }
      return object
    },
  }
}

/** `filled`: left out when empty. `given`: left out when not written. `always`: never left out. */
export type Field = {
  readonly shape: Shape
  readonly output?: string
  readonly when: 'filled' | 'given' | 'always'
}

export function given(shape: Shape): Field {
  return { shape, when: 'given' }
}

export function always(shape: Shape, output?: string): Field {
  return { shape, when: 'always', ...(output === undefined ? {} : { output }) }
}

/** Release 2 takes it and forgets it. */
export function since5(shape: Shape): Shape {
  return {
    ...shape,
    decode: (node, path, to) => (to.release === 2 ? undefined : shape.decode(node, path, to)),
  }
}

/** Inside a mapping: nothing stays nothing. */
export function nullable(shape: Shape): Shape {
  return { ...shape, zero: null, write: (value) => (value === null ? 'null' : shape.write(value)) }
}

/** The characters that the reference's encoder escapes beside those of JSON. */
export function writeScalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return JSON.stringify(value)
  return JSON.stringify(value).replaceAll(
    /[<>&\u2028\u2029]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

function writeAny(value: Json): string {
  if (isArray(value)) return `[${value.map(writeAny).join()}]`
  if (isObject(value)) return writeMap(value, { write: writeAny })
  return writeScalar(value)
}

function writeMap(value: JsonObject, item: Pick<Shape, 'write'>): string {
  const keys = Object.keys(value).toSorted(compareBytes)
  return `{${keys.map((key) => `${writeScalar(key)}:${item.write(value[key]!)}`).join()}}`
}

/** By the bytes of their UTF-8, which differs from JavaScript's order only beyond the basic plane. */
function compareBytes(a: string, b: string): number {
  return Buffer.compare(Buffer.from(a), Buffer.from(b))
}
