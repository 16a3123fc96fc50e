/** Common Expression Language: a text becomes a function of its variables. */
import { calculate, int, negative, uint } from './arithmetic.ts'
import { compare, contains, equal } from './compare.ts'
import { fieldOf, itemOf } from './access.ts'
import { toText } from './conversions.ts'
import { CelError, fail, Trouble } from './error.ts'
import { callNamed, callOn, namespaces } from './functions.ts'
import { positionOf, type Literal } from './lex.ts'
import { macroOf } from './macros.ts'
import { parse, type Constant, type Expression } from './parse.ts'
import {
  isListValue,
  MapValue,
  Optional,
  typeOf,
  TypeName,
  Uint,
  valueOfJson,
  type Json,
  type Value,
} from './values.ts'

export type { Json } from './values.ts'

export type Program = {
  /** Throws a CelError where the expression fails: a missing key, values that do not fit. */
  evaluate(variables: { readonly [name: string]: Json }): Json
  /** The same with the values of the language itself: JSON has no bytes, no times and only one kind of number. */
  evaluateValues(variables: ReadonlyMap<string, Value>): Value
}

/** Throws a CelError where the text is no expression. */
export function compile(text: string): Program {
  const run = compiled(parse(text), text)
  return {
    evaluate(variables) {
      const known = new Map<string, Value>()
      const names: Names = (name) => {
        if (!known.has(name)) {
          if (!Object.hasOwn(variables, name)) return undefined
          known.set(name, valueOfJson(variables[name]))
        }
        return known.get(name)
      }
      return jsonOf(run(names))
    },
    evaluateValues: (variables) => run((name) => variables.get(name)),
  }
}

/** Undefined: there is no such variable. */
export type Names = (name: string) => Value | undefined
export type Run = (names: Names) => Value

function compiled(expression: Expression, text: string): Run {
  const run = runOf(expression, text)
  return (names) => {
    try {
      return run(names)
    } catch (error) {
      if (error instanceof Trouble) {
        throw new CelError(error.message, positionOf(text, expression.at))
      }
      if (error instanceof RangeError) {
        throw new CelError('this grows too large', positionOf(text, expression.at))
      }
      throw error
    }
  }
}

function runOf(expression: Expression, text: string): Run {
  const of = (part: Expression) => compiled(part, text)
  switch (expression.kind) {
    case 'literal': {
      const { literal, at } = expression
      const value = valueOf(literal, () => {
        throw new CelError('this number is too large', positionOf(text, at))
      })
      return () => value
    }
    case 'name': {
      const { name } = expression
      const type = typeNames.has(name) ? new TypeName(name) : undefined
      return (names) => {
        const found = names(name)
        return found !== undefined ? found : (type ?? fail(`there is no variable ${name}`))
      }
    }
    case 'field': {
      const { name, isOptional } = expression
      const whole = of(expression.of)
      const dotted = dottedName(expression)
      const type = dotted !== undefined && typeNames.has(dotted) ? new TypeName(dotted) : undefined
      if (type !== undefined) return () => type
      // a variable may have dots in its name, and the longest name counts
      return (names) => {
        const found = dotted === undefined ? undefined : names(dotted)
        return found === undefined ? fieldOf(whole(names), name, isOptional) : found
      }
    }
    case 'item': {
      const [whole, index] = [of(expression.of), of(expression.index)]
      const { isOptional } = expression
      return (names) => itemOf(whole(names), index(names), isOptional)
    }
    case 'list': {
      const items = expression.items.map((item) => ({ ...item, run: of(item.value) }))
      return (names) =>
        items.flatMap(({ run, isOptional }) => present(run(names), isOptional).map((one) => one))
    }
    case 'map': {
      const entries = expression.entries.map((entry) => {
        return { key: of(entry.key), run: of(entry.value), isOptional: entry.isOptional }
      })
      return (names) => {
        const map = new MapValue()
        for (const { key, run, isOptional } of entries) {
          const name = key(names)
          for (const value of present(run(names), isOptional)) map.set(name, value)
        }
        return map
      }
    }
    case 'call':
      return callOf(expression, text)
  }
}

/** An optional item is there or not. */
function present(value: Value, isOptional: boolean): readonly Value[] {
  if (!isOptional) return [value]
  if (!(value instanceof Optional)) return fail(`${typeOf(value)} is no optional value`)
  return value.value === undefined ? [] : [value.value]
}

const typeNames = new Set([
  'bool',
  'bytes',
  'double',
  'int',
  'list',
  'map',
  'null_type',
  'string',
  'type',
  'uint',
  'google.protobuf.Timestamp',
  'google.protobuf.Duration',
  'optional_type',
])

function dottedName(expression: Expression): string | undefined {
  if (expression.kind === 'name') return expression.name
  if (expression.kind !== 'field' || expression.isOptional) return undefined
  if (!/^\w+$/.test(expression.name)) return undefined
  const before = dottedName(expression.of)
  return before === undefined ? undefined : `${before}.${expression.name}`
}

function valueOf(literal: Literal | Constant, tooLarge: () => never): Value {
  try {
    if (literal.type === 'int') return int(literal.value)
    return literal.type === 'uint' ? uint(literal.value) : literal.value
  } catch (error) {
    if (error instanceof Trouble) return tooLarge()
    throw error
  }
}

function callOf(expression: Expression & { readonly kind: 'call' }, text: string): Run {
  const { name, on, args } = expression
  const of = (part: Expression) => compiled(part, text)
  const macro = macroOf(expression, of, (reason, at) => {
    throw new CelError(reason, positionOf(text, at))
  })
  if (macro !== undefined) return macro
  const runs = args.map(of)
  if (on === undefined) return operatorOf(name, runs)
  const space = on.kind === 'name' && Object.hasOwn(namespaces, on.name) ? namespaces[on.name]! : {}
  const named = Object.hasOwn(space, name) ? space[name] : undefined
  const whole = of(on)
  return (names) => {
    const isSpace = named !== undefined && on.kind === 'name' && names(on.name) === undefined
    if (isSpace) return named(runs.map((run) => run(names)))
    return callOn(
      whole(names),
      name,
      runs.map((run) => run(names)),
    )
  }
}

function operatorOf(name: string, runs: readonly Run[]): Run {
  const [first, second, third] = runs
  switch (name) {
    case '?:':
      return (names) => (truth(first!(names)) ? second!(names) : third!(names))
    case '&&':
      return (names) => decided(names, first!, second!, false)
    case '||':
      return (names) => decided(names, first!, second!, true)
    case '!':
      return (names) => !truth(first!(names))
    case '==':
      return (names) => equal(first!(names), second!(names))
    case '!=':
      return (names) => !equal(first!(names), second!(names))
    case '<':
      return (names) => orderOf(names, first!, second!, (order) => order < 0)
    case '<=':
      return (names) => orderOf(names, first!, second!, (order) => order <= 0)
    case '>':
      return (names) => orderOf(names, first!, second!, (order) => order > 0)
    case '>=':
      return (names) => orderOf(names, first!, second!, (order) => order >= 0)
    case 'in':
      return (names) => {
        const part = first!(names)
        return contains(second!(names), part)
      }
    case '-':
      if (second === undefined) return (names) => negative(first!(names))
      return (names) => calculate('-', first!(names), second(names))
    case '+':
    case '*':
    case '/':
    case '%':
      return (names) => calculate(name, first!(names), second!(names))
    default:
      return (names) =>
        callNamed(
          name,
          runs.map((run) => run(names)),
        )
  }
}

function orderOf(names: Names, one: Run, other: Run, fits: (order: number) => boolean): boolean {
  const left = one(names)
  const order = compare(left, other(names))
  return order !== undefined && fits(order)
}

export function truth(value: Value): boolean {
  return typeof value === 'boolean' ? value : fail(`expected true or false, found ${typeOf(value)}`)
}

/** One side may fail where the other decides alone, whichever it is. */
export function decided(names: Names, one: Run, other: Run, by: boolean): boolean {
  let trouble: unknown
  try {
    if (truth(one(names)) === by) return by
  } catch (error) {
    if (!(error instanceof Trouble || error instanceof CelError)) throw error
    trouble = error
  }
  if (truth(other(names)) === by) return by
  if (trouble !== undefined) throw trouble
  return !by
}

function jsonOf(value: Value): Json {
  if (value === null || typeof value === 'boolean' || typeof value === 'string') return value
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (isListValue(value)) return value.map(jsonOf)
  if (value instanceof MapValue) {
    return Object.fromEntries(value.entries().map(([key, item]) => [toText(key), jsonOf(item)]))
  }
  if (value instanceof Uint8Array) return Buffer.from(value).toString('base64')
  if (value instanceof Optional) return value.value === undefined ? null : jsonOf(value.value)
  return toText(value)
}
