/** eq, lt and what they refuse to compare; and Go's DeepEqual. */
import type { Budget } from '../budget.ts'
import { GoError } from '../errors.ts'
import { noFlags } from '../fmt/flags.ts'
import { formatArgument, plain } from '../fmt/print.ts'
import { basicKind, integerOf, kindOf, typeOf, unbox, type Operand, type Value } from '../values.ts'

export function isEqual(first: Operand, others: readonly Operand[], budget: Budget): boolean {
  if (others.length === 0) throw new GoError('missing argument for comparison')
  const left = unbox(first)
  return others.some((other) => equals(left, unbox(other), budget))
}

function equals(left: Value, right: Value, budget: Budget): boolean {
  const [leftKind, rightKind] = [basicKind(left), basicKind(right)]
  if (leftKind !== rightKind) {
    if (isInteger(leftKind) && isInteger(rightKind)) return integerOf(left) === integerOf(right)
    if (left === null || right === null) return false
    throw new GoError(`incompatible types for comparison: ${typeOf(left)} and ${typeOf(right)}`)
  }
  if (isInteger(leftKind)) return integerOf(left) === integerOf(right)
  if (leftKind === 'complex') return isSameComplex(left, right)
  if (leftKind !== undefined) return left === right
  return equalsOther(left, right, budget)
}

/** Lists and maps can be compared with nil only; structs field by field. */
function equalsOther(left: Value, right: Value, budget: Budget): boolean {
  const isComparable = kindOf(left) === kindOf(right) || left === null || right === null
  if (!isComparable && left !== null && right !== null) {
    throw new GoError(
      `non-comparable types ${asText(left, budget)}: ${typeOf(left)}, ${typeOf(right)}: ${plain(right, budget)}`,
    )
  }
  if (isNil(left) || isNil(right)) return isNil(left) === isNil(right)
  if (typeof right !== 'object' || right === null || typeof left !== 'object' || left === null)
    return false
  if (right.kind === 'list' || right.kind === 'dict') {
    throw new GoError(`non-comparable type ${asText(right, budget)}: ${typeOf(right)}`)
  }
  if (left.kind === 'time' && right.kind === 'time') {
    return (
      left.moment.seconds === right.moment.seconds &&
      left.moment.nanos === right.moment.nanos &&
      sameZone(left.moment.zone, right.moment.zone)
    )
  }
  if (left.kind === 'struct' && right.kind === 'struct') return deepEqual(left, right, budget)
  return left === right
}

/** These errors print with the verb for strings, which complains about numbers. */
function asText(value: Value, budget: Budget): string {
  return formatArgument(value, 's', noFlags(), budget)
}

function sameZone(left: { name: string }, right: { name: string }): boolean {
  return left === right || (left.name === right.name && left.name !== '')
}

function isNil(value: Value): boolean {
  if (value === null) return true
  return (
    typeof value === 'object' && (value.kind === 'list' || value.kind === 'dict') && value.isNil
  )
}

function isInteger(kind: string | undefined): boolean {
  return kind === 'int' || kind === 'uint'
}

function isSameComplex(left: Value, right: Value): boolean {
  return (
    typeof left === 'object' &&
    typeof right === 'object' &&
    left?.kind === 'complex' &&
    right?.kind === 'complex' &&
    left.real === right.real &&
    left.imaginary === right.imaginary
  )
}

export function compareLess(first: Operand, second: Operand): boolean {
  const [left, right] = [unbox(first), unbox(second)]
  const [leftKind, rightKind] = [basicKind(left), basicKind(right)]
  if (leftKind === undefined || rightKind === undefined || left === null || right === null) {
    throw new GoError('invalid type for comparison')
  }
  const [leftInteger, rightInteger] = [integerOf(left), integerOf(right)]
  if (leftInteger !== undefined && rightInteger !== undefined) return leftInteger < rightInteger
  if (leftKind !== rightKind) {
    throw new GoError(`incompatible types for comparison: ${typeOf(left)} and ${typeOf(right)}`)
  }
  if (typeof left === 'number' && typeof right === 'number') return left < right
  if (typeof left === 'string' && typeof right === 'string') return left < right
  throw new GoError('invalid type for comparison')
}

/** reflect.DeepEqual: same types all the way down, nil and empty differ, NaN equals nothing. */
export function deepEqual(left: Value, right: Value, budget: Budget, depth = 0): boolean {
  budget.spend(1)
  budget.nest(depth)
  if (left === null || right === null) return left === right
  if (typeOf(left) !== typeOf(right)) return false
  if (typeof left !== 'object' || typeof right !== 'object') return left === right
  if (left === right) return true
  if (left.kind === 'sized' && right.kind === 'sized') return left.value === right.value
  if (left.kind === 'complex') return isSameComplex(left, right)
  if (left.kind === 'list' && right.kind === 'list') {
    if (left.isNil !== right.isNil || left.items.length !== right.items.length) return false
    return left.items.every((item, index) =>
      deepEqual(item, right.items[index] ?? null, budget, depth + 1),
    )
  }
  if (left.kind === 'dict' && right.kind === 'dict') {
    if (left.isNil !== right.isNil) return false
    return sameEntries(left.entries, right.entries, budget, depth)
  }
  if (left.kind === 'struct' && right.kind === 'struct')
    return sameEntries(left.fields, right.fields, budget, depth)
  if (left.kind === 'semver' && right.kind === 'semver') {
    const [a, b] = [left.version, right.version]
    return (
      a.original === b.original && a.major === b.major && a.minor === b.minor && a.patch === b.patch
    )
  }
  return equalsOther(left, right, budget)
}

function sameEntries(
  left: ReadonlyMap<string, Value>,
  right: ReadonlyMap<string, Value>,
  budget: Budget,
  depth: number,
): boolean {
  if (left.size !== right.size) return false
  for (const [key, value] of left) {
    const other = right.get(key)
    if (other === undefined || !deepEqual(value, other, budget, depth + 1)) return false
  }
  return true
}
