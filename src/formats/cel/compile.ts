/** Common Expression Language: a text becomes a function of its variables. */
import { calculate, negative } from './arithmetic.ts'
import { compare, contains, equal } from './compare.ts'
import { fieldOf, itemOf } from './access.ts'
import { jsonOf } from './json-of.ts'
import { charge, chargeFor, chargeForCall, sizeIn, usualBudget, type Budget } from './cost.ts'
import { CelError, fail, OverBudget, OverBudgetTrouble, Trouble, type Position } from './error.ts'
import { callNamed, callOn, namespaces } from './functions.ts'
import { positionOf } from './lex.ts'
import { valueOf } from './literal.ts'
import { macroOf } from './macros.ts'
import { parse, type Expression } from './parse.ts'
import {
  MapValue,
  Optional,
  typeOf,
  TypeName,
  valueOfJson,
  type Json,
  type Value,
} from './values.ts'

export type { Json } from './values.ts'
import { defined } from '#model/defined.ts'

export type Program = {
  /**
   * Throws a CelError where the expression fails: a missing key, values that do not fit, or more work than `budget` has left. What it
   * took is taken from `budget`.
   */
  evaluate(variables: { readonly [name: string]: Json }, budget?: Budget): Json
  /** The same with the values of the language itself: JSON has no bytes, no times and only one kind of number. */
  evaluateValues(variables: ReadonlyMap<string, Value>): Value
}

/** Letters. No health check needs more, and all of it is read before anybody else has a turn. */
const longestText = 10_000

/** Throws a CelError where the text is no expression. */
export function compile(text: string): Program {
  const start = { line: 1, column: 1 }
  if (text.length > longestText) {
    throw new CelError(`this is longer than ${longestText} letters`, start)
  }
  const run = readWhole(text, start)
  return {
    evaluate(variables, budget = { left: usualBudget }) {
      const known = new Map<string, Value>()
      const names = (name: string): Value | undefined => {
        if (!known.has(name)) {
          if (!Object.hasOwn(variables, name)) return undefined
          const value = valueOfJson(variables[name])
          charge(budget, sizeIn(value, budget.left * 4) / 4)
          known.set(name, value)
        }
        return known.get(name)
      }
      const value = run(Object.assign(names, { budget }))
      if (sizeIn(value, largestAnswer) > largestAnswer) {
        throw new OverBudget('the answer is too large', start)
      }
      return jsonOf(value)
    },
    evaluateValues: (variables) =>
      run(Object.assign((name: string) => variables.get(name), { budget: { left: usualBudget } })),
  }
}

/** A chain of thousands of operators is as deep as it is long. */
function readWhole(text: string, start: Position): Run {
  try {
    return compiled(parse(text), text)
  } catch (error) {
    if (!(error instanceof RangeError)) throw error
    throw new CelError('this is nested too deeply', start)
  }
}

const largestAnswer = 10_000

/** Undefined: there is no such variable. `budget`: what one evaluation has left, shared by all its parts. */
export type Names = ((name: string) => Value | undefined) & { readonly budget: Budget }

export type Run = (names: Names) => Value

function compiled(expression: Expression, text: string): Run {
  const run = runOf(expression, text)
  return (names) => {
    try {
      charge(names.budget, 1)
      return run(names)
    } catch (error) {
      if (error instanceof OverBudgetTrouble) {
        throw new OverBudget(error.message, positionOf(text, expression.at))
      }
      if (error instanceof Trouble) {
        // what fails takes longer than what does not, and macros go on with the next item
        names.budget.left -= 100
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

function callOf(expression: Expression & { readonly kind: 'call' }, text: string): Run {
  const { name, on, args } = expression
  const of = (part: Expression) => compiled(part, text)
  const macro = macroOf(expression, of, (reason, at) => {
    throw new CelError(reason, positionOf(text, at))
  })
  if (macro !== undefined) return macro
  const runs = args.map(of)
  if (on === undefined) return operatorOf(name, runs)
  const space =
    on.kind === 'name' && Object.hasOwn(namespaces, on.name) ? defined(namespaces[on.name]) : {}
  const named = Object.hasOwn(space, name) ? space[name] : undefined
  const whole = of(on)
  return (names) => {
    const isSpace = named !== undefined && on.kind === 'name' && names(on.name) === undefined
    const value = isSpace ? undefined : whole(names)
    const values = runs.map((run) => run(names))
    if (isSpace) {
      chargeForCall(names.budget, name, values)
      return named(values)
    }
    chargeForCall(names.budget, name, [value ?? null, ...values])
    return callOn(value ?? null, name, values)
  }
}

function operatorOf(name: string, runs: readonly Run[]): Run {
  const [first, second, third] = runs
  switch (name) {
    case '?:':
      return (names) =>
        truth(defined(first)(names)) ? defined(second)(names) : defined(third)(names)
    case '&&':
      return (names) => decided(names, defined(first), defined(second), false)
    case '||':
      return (names) => decided(names, defined(first), defined(second), true)
    case '!':
      return (names) => !truth(defined(first)(names))
    case '==':
      return (names) => equal(...bothOf(names, defined(first), defined(second)))
    case '!=':
      return (names) => !equal(...bothOf(names, defined(first), defined(second)))
    case '<':
      return (names) => orderOf(names, defined(first), defined(second), (order) => order < 0)
    case '<=':
      return (names) => orderOf(names, defined(first), defined(second), (order) => order <= 0)
    case '>':
      return (names) => orderOf(names, defined(first), defined(second), (order) => order > 0)
    case '>=':
      return (names) => orderOf(names, defined(first), defined(second), (order) => order >= 0)
    case 'in':
      return (names) => {
        const [part, whole] = bothOf(names, defined(first), defined(second))
        return contains(whole, part)
      }
    case '-':
      if (second === undefined) return (names) => negative(defined(first)(names))
      return (names) => calculate('-', ...bothOf(names, defined(first), second))
    case '+':
    case '*':
    case '/':
    case '%':
      return (names) => calculate(name, ...bothOf(names, defined(first), defined(second)))
    default:
      return (names) => {
        const values = runs.map((run) => run(names))
        chargeForCall(names.budget, name, values)
        return callNamed(name, values)
      }
  }
}

/** What an operator works on, paid for. */
function bothOf(names: Names, one: Run, other: Run): readonly [Value, Value] {
  const both = [one(names), other(names)] as const
  chargeFor(names.budget, both)
  return both
}

function orderOf(names: Names, one: Run, other: Run, fits: (order: number) => boolean): boolean {
  const order = compare(...bothOf(names, one, other))
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
    if (error instanceof OverBudget) throw error
    if (!(error instanceof Trouble || error instanceof CelError)) throw error
    trouble = error
  }
  if (truth(other(names)) === by) return by
  if (trouble !== undefined) throw trouble
  return !by
}
