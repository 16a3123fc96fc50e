/** Go values as plain data, with what Go's reflection would say of their types and kinds. */
import type { Moment } from './time/moment.ts'
import type { Version } from './semver/version.ts'

/** Integers other than int, named integers such as time.Month among them. */
type Sized = { readonly kind: 'sized'; readonly type: string; readonly value: bigint }
type Complex = {
  readonly kind: 'complex'
  readonly real: number
  readonly imaginary: number
}
export type List = {
  readonly kind: 'list'
  readonly type: string
  readonly items: Value[]
  readonly isNil: boolean
}
/** The one value templates can change. */
export type Dict = {
  readonly kind: 'dict'
  readonly type: string
  readonly entries: Map<string, Value>
  readonly isNil: boolean
}
export type Struct = {
  readonly kind: 'struct'
  readonly type: string
  readonly fields: ReadonlyMap<string, Value>
}
/** What is not data but can still be asked for its methods. */
export type Time = { readonly kind: 'time'; readonly moment: Moment }
export type Semver = { readonly kind: 'semver'; readonly version: Version }

/** string: a byte string; number: float64; bigint: int; null: nil in an interface. */
export type Value =
  | null
  | boolean
  | string
  | number
  | bigint
  | Sized
  | Complex
  | List
  | Dict
  | Struct
  | Time
  | Semver

/** A value seen through a variable of type interface{}: what a map or a list of anything holds. */
type Box = { readonly kind: 'box'; readonly value: Value }

/** What evaluation works on: undefined is Go's zero reflect.Value. */
export type Operand = Value | Box | undefined

export const anyType = 'interface {}'
export const anyMap = 'map[string]interface {}'
export const anyList = '[]interface {}'

export function list(items: Value[], type: string = anyList): List {
  return { kind: 'list', type, items, isNil: false }
}

export function nilList(type: string = anyList): List {
  return { kind: 'list', type, items: [], isNil: true }
}

export function dict(entries: Map<string, Value>, type: string = anyMap): Dict {
  return { kind: 'dict', type, entries, isNil: false }
}

export function nilDict(type: string = anyMap): Dict {
  return { kind: 'dict', type, entries: new Map(), isNil: true }
}

export function int(value: number | bigint): bigint {
  return BigInt.asIntN(64, BigInt(value))
}

export function int64(value: number | bigint): Sized {
  return sized('int64', BigInt.asIntN(64, BigInt(value)))
}

export function sized(type: string, value: bigint): Sized {
  return { kind: 'sized', type, value }
}

export function box(value: Value): Box {
  return { kind: 'box', value }
}

export function isBox(operand: Operand): operand is Box {
  return typeof operand === 'object' && operand !== null && operand.kind === 'box'
}

/** The value inside, with nil in an interface and no value at all both as null. */
export function unbox(operand: Operand): Value {
  if (operand === undefined) return null
  return isBox(operand) ? operand.value : operand
}

/** Elements of a []interface{} are interfaces, elements of a []string are not. */
export function element(container: List | Dict, value: Value): Operand {
  return elementType(container.type) === anyType ? box(value) : value
}

const namedElements: ReadonlyMap<string, string> = new Map([
  ['engine.files', '[]uint8'],
  ['chartutil.VersionSet', 'string'],
])

export function elementType(type: string): string {
  const named = namedElements.get(type)
  if (named !== undefined) return named
  return type.startsWith('[]') ? type.slice(2) : type.slice(type.indexOf(']') + 1)
}

/** The name that %T prints. */
export function typeOf(value: Exclude<Value, null>): string {
  if (typeof value === 'boolean') return 'bool'
  if (typeof value === 'string') return 'string'
  if (typeof value === 'number') return 'float64'
  if (typeof value === 'bigint') return 'int'
  if (value.kind === 'complex') return 'complex128'
  if (value.kind === 'time') return 'time.Time'
  if (value.kind === 'semver') return '*semver.Version'
  return value.type
}

const namedKinds: ReadonlyMap<string, string> = new Map([
  ['time.Duration', 'int64'],
  ['time.Month', 'int'],
  ['time.Weekday', 'int'],
])

/** The name of the kind that reflect would print; `invalid` for nil. */
export function kindOf(value: Value): string {
  if (value === null) return 'invalid'
  if (typeof value !== 'object') return typeOf(value)
  switch (value.kind) {
    case 'sized':
      return namedKinds.get(value.type) ?? value.type
    case 'complex':
      return 'complex128'
    case 'list':
      return 'slice'
    case 'dict':
      return 'map'
    case 'struct':
    case 'time':
      return 'struct'
    case 'semver':
      return 'ptr'
  }
}

export type Basic = 'bool' | 'int' | 'uint' | 'float' | 'complex' | 'string' | undefined

/** The family that comparison and formatting go by. */
export function basicKind(value: Value): Basic {
  const kind = kindOf(value)
  if (kind.startsWith('int')) return kind === 'interface' || kind === 'invalid' ? undefined : 'int'
  if (kind.startsWith('uint')) return 'uint'
  if (kind === 'float64') return 'float'
  if (kind === 'complex128') return 'complex'
  return kind === 'bool' || kind === 'string' ? kind : undefined
}

/** The integer of a value of an integer kind, or undefined. */
export function integerOf(value: Value): bigint | undefined {
  if (typeof value === 'bigint') return value
  return typeof value === 'object' && value !== null && value.kind === 'sized'
    ? value.value
    : undefined
}

/** Keys in the order in which Go prints and ranges. */
export function sortedKeys(value: Dict): string[] {
  return [...value.entries.keys()].sort(compareBytes)
}

export function compareBytes(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0
}

/** Truth as if and with see it. */
export function isTrue(value: Value): boolean {
  if (value === null) return false
  if (typeof value === 'boolean') return value
  if (typeof value === 'string') return value.length > 0
  if (typeof value === 'number') return value !== 0
  if (typeof value === 'bigint') return value !== 0n
  switch (value.kind) {
    case 'sized':
      return value.value !== 0n
    case 'complex':
      return value.real !== 0 || value.imaginary !== 0
    case 'list':
      return value.items.length > 0
    case 'dict':
      return value.entries.size > 0
    case 'struct':
    case 'time':
    case 'semver':
      return true
  }
}
