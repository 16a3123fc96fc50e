/** How a function is described to the engine: Go types of its parameters, and its body. */
import type { Budget } from './budget.ts'
import { GoError } from './errors.ts'
import type { Random } from './random.ts'
import {
  anyList,
  anyMap,
  list,
  type Dict,
  type List,
  type Operand,
  type Struct,
  type Time,
  type Value,
} from './values.ts'

/** What functions may use of the render that calls them. */
export type Context = {
  readonly budget: Budget
  /** Milliseconds since the epoch; asking is remembered. */
  now(): number
  /** The stream of this render; asking is remembered. */
  random(): Random
  lookup(apiVersion: string, kind: string, namespace: string, name: string): Value
  include(name: string, data: Value): string
  tpl(text: string, data: Value): string
}

/** Parameters of type reflect.Value see operands as they are: boxed, or missing. */
export const rawType = 'reflect.Value'

export type Func = {
  readonly params: readonly string[]
  /** Type of the last, repeatable parameter. */
  readonly rest?: string
  call(args: readonly Operand[], context: Context): Operand
}

export type Library = ReadonlyMap<string, Func>

export type Param<T> = { readonly type: string; readonly read: (value: Operand) => T }

function param<T>(type: string, read: (value: Operand) => T): Param<T> {
  return { type, read }
}

/** The engine has checked the type before a reader sees the value. */
function mismatch(type: string): never {
  throw new GoError(`value is not of type ${type}`)
}

export const text = param('string', (value) =>
  typeof value === 'string' ? value : mismatch('string'),
)
export const flag = param('bool', (value) =>
  typeof value === 'boolean' ? value : mismatch('bool'),
)
/** Beyond 2^53 the number is not exact, which no parameter of type int minds. */
export const int = param('int', (value) =>
  typeof value === 'bigint' ? Number(value) : mismatch('int'),
)
export const float = param('float64', (value) =>
  typeof value === 'number' ? value : mismatch('float64'),
)
export const uint32 = param('uint32', (value) => {
  return isObject(value) && value.kind === 'sized' ? Number(value.value) : mismatch('uint32')
})
export const anything = param('interface {}', (value): Value => {
  if (value === undefined) return null
  return isObject(value) && value.kind === 'box' ? value.value : value
})
export const dictionary = param(anyMap, (value): Dict => {
  return isObject(value) && value.kind === 'dict' ? value : mismatch(anyMap)
})
export const anythings = param(anyList, (value): List => {
  return isObject(value) && value.kind === 'list' ? value : mismatch(anyList)
})
export const time = param('time.Time', (value): Time => {
  return isObject(value) && value.kind === 'time' ? value : mismatch('time.Time')
})
export const certificate = param('sprig.certificate', (value): Struct => {
  return isObject(value) && value.kind === 'struct' ? value : mismatch('sprig.certificate')
})
export const raw = param(rawType, (value) => value)

function isObject<T>(value: T): value is T & object {
  return typeof value === 'object' && value !== null
}

type Body<A extends unknown[]> = (context: Context, ...args: A) => Operand

export function takes0(body: Body<[]>): Func {
  return { params: [], call: (_, context) => body(context) }
}

export function takes1<A>(a: Param<A>, body: Body<[A]>): Func {
  return { params: [a.type], call: (args, context) => body(context, a.read(args[0])) }
}

export function takes2<A, B>(a: Param<A>, b: Param<B>, body: Body<[A, B]>): Func {
  return {
    params: [a.type, b.type],
    call: (args, context) => body(context, a.read(args[0]), b.read(args[1])),
  }
}

export function takes3<A, B, C>(
  a: Param<A>,
  b: Param<B>,
  c: Param<C>,
  body: Body<[A, B, C]>,
): Func {
  return {
    params: [a.type, b.type, c.type],
    call: (args, context) => body(context, a.read(args[0]), b.read(args[1]), c.read(args[2])),
  }
}

/** For the few with more parameters than three: the body reads them itself. */
export function takesMany(params: readonly Param<unknown>[], call: Func['call']): Func {
  return { params: params.map((each) => each.type), call }
}

export function takesRest<R>(rest: Param<R>, body: Body<[R[]]>): Func {
  return {
    params: [],
    rest: rest.type,
    call: (args, context) => body(context, args.map(rest.read)),
  }
}

export function takes1Rest<A, R>(a: Param<A>, rest: Param<R>, body: Body<[A, R[]]>): Func {
  return {
    params: [a.type],
    rest: rest.type,
    call: (args, context) => body(context, a.read(args[0]), args.slice(1).map(rest.read)),
  }
}

export function takes2Rest<A, B, R>(
  a: Param<A>,
  b: Param<B>,
  rest: Param<R>,
  body: Body<[A, B, R[]]>,
): Func {
  return {
    params: [a.type, b.type],
    rest: rest.type,
    call: (args, context) =>
      body(context, a.read(args[0]), b.read(args[1]), args.slice(2).map(rest.read)),
  }
}

export function strings(items: string[]): List {
  return list(items, '[]string')
}
