/** The value of a pipeline: commands, fields, variables, arguments against their parameter's type. */
import type { Budget } from './budget.ts'
import { charged } from './charge.ts'
import { GoError } from './errors.ts'
import { rawType, type Context, type Func, type Library } from './library.ts'
import { methodOf } from './methods.ts'
import {
  nodeText,
  type AnyNode,
  type Argument,
  type Command,
  type Identifier,
  type Pipe,
} from './nodes.ts'
import { quote } from './quote.ts'
import {
  anyType,
  element,
  elementType,
  isBox,
  isTrue,
  typeOf,
  unbox,
  type Operand,
  type Value,
} from './values.ts'
import { canBeNil, literal, validated, zero } from './parameter.ts'

export type MissingKey = 'error' | 'zero' | 'default'

type Evaluation = {
  readonly library: Library
  readonly missingKey: MissingKey
  readonly context: Context
  readonly budget: Budget
  /** Throws the error of Go for this node. */
  fail(node: AnyNode, message: string, cause?: GoError): never
  variable(node: AnyNode, name: string): Operand
  assign(node: AnyNode, name: string, value: Operand): void
  declare(name: string, value: Operand): void
}

/** A command's last argument is absent unless a value was piped into it. */
type Final = { readonly piped: Operand } | undefined

export function evaluator(state: Evaluation) {
  const { library, context } = state
  /** Go reports an error at the node that it looked at last. */
  let current: AnyNode | undefined

  function at(node: AnyNode): void {
    current = node
  }
  function stop(message: string): never {
    if (current === undefined) throw new GoError(message)
    return state.fail(current, message)
  }

  function pipeline(dot: Operand, pipe: Pipe): Operand {
    at(pipe)
    let final: Final
    let value: Operand
    for (const each of pipe.commands) {
      value = command(dot, each, final)
      if (isBox(value)) value = value.value ?? undefined
      final = { piped: value }
    }
    for (const { names } of pipe.declared) {
      const [name = ''] = names
      if (pipe.isAssign) state.assign(current ?? pipe, name, value)
      else state.declare(name, value)
    }
    return value
  }
  function command(dot: Operand, node: Command, final: Final): Operand {
    const { first, args } = node
    state.budget.spend(1)
    switch (first.kind) {
      case 'field':
        at(first)
        return fieldChain(dot, dot, first, first.names, args, final)
      case 'chain':
        return chain(dot, first, args, final)
      case 'identifier':
        return call(dot, first, node, args, final)
      case 'pipe':
        notAFunction(args, final)
        return pipeline(dot, first)
      case 'variable':
        return variable(dot, first, args, final)
      case 'bool':
      case 'dot':
      case 'nil':
      case 'number':
      case 'string':
        at(first)
        notAFunction(args, final)
        if (first.kind === 'dot') return dot
        return first.kind === 'nil' ? stop('nil is not a command') : literal(first, anyType, stop)
    }
  }
  function notAFunction(args: readonly Argument[], final: Final): void {
    const [first] = args
    if (first !== undefined && (args.length > 1 || final !== undefined)) {
      stop(`can't give argument to non-function ${nodeText(first)}`)
    }
  }
  function chain(
    dot: Operand,
    node: Extract<Argument, { kind: 'chain' }>,
    args: readonly Argument[],
    final: Final,
  ): Operand {
    at(node)
    if (node.node.kind === 'nil') stop(`indirection through explicit nil in ${nodeText(node)}`)
    return fieldChain(dot, argument(dot, undefined, node.node), node, node.names, args, final)
  }
  function variable(
    dot: Operand,
    node: Extract<Argument, { kind: 'variable' }>,
    args: readonly Argument[],
    final: Final,
  ): Operand {
    at(node)
    const [name = '', ...names] = node.names
    const value = state.variable(node, name)
    if (names.length > 0) return fieldChain(dot, value, node, names, args, final)
    notAFunction(args, final)
    return value
  }
  function fieldChain(
    dot: Operand,
    start: Operand,
    node: AnyNode,
    names: readonly string[],
    args: readonly Argument[],
    final: Final,
  ): Operand {
    let receiver = start
    const last = names.length - 1
    names.forEach((name, index) => {
      receiver = field(
        dot,
        name,
        node,
        index === last ? args : [],
        index === last ? final : undefined,
        receiver,
      )
    })
    return receiver
  }
  function field(
    dot: Operand,
    name: string,
    node: AnyNode,
    args: readonly Argument[],
    final: Final,
    receiver: Operand,
  ): Operand {
    if (receiver === undefined) {
      return state.missingKey === 'error'
        ? stop(`nil data; no entry for key ${quote(name)}`)
        : undefined
    }
    const value = unbox(receiver)
    if (value === null) return stop(`nil pointer evaluating ${anyType}.${name}`)
    const type = isBox(receiver) ? anyType : typeOf(value)
    const method = methodOf(value, name)
    if (method !== undefined) return invoke(dot, method, node, name, args, final)
    const hasArguments = args.length > 1 || final !== undefined
    if (typeof value === 'object' && value.kind === 'struct') {
      const held = value.fields.get(name)
      if (held !== undefined) {
        return hasArguments ? stop(`${name} has arguments but cannot be invoked as function`) : held
      }
    }
    if (typeof value === 'object' && value.kind === 'dict') {
      if (hasArguments) stop(`${name} is not a method but has arguments`)
      const held = value.entries.get(name)
      if (held !== undefined) return element(value, held)
      if (state.missingKey === 'error') stop(`map has no entry for key ${quote(name)}`)
      return state.missingKey === 'default' ? undefined : zero(elementType(value.type))
    }
    return stop(`can't evaluate field ${name} in type ${type}`)
  }

  function call(
    dot: Operand,
    node: Identifier,
    whole: AnyNode,
    args: readonly Argument[],
    final: Final,
  ): Operand {
    at(node)
    const func = library.get(node.name) ?? stop(`${quote(node.name)} is not a defined function`)
    return invoke(dot, func, whole, node.name, args, final)
  }
  function invoke(
    dot: Operand,
    func: Func,
    node: AnyNode,
    name: string,
    all: readonly Argument[],
    final: Final,
  ): Operand {
    const args = all.slice(1)
    const given = args.length + (final === undefined ? 0 : 1)
    const { params, rest } = func
    if (rest !== undefined && given < params.length) {
      stop(`wrong number of args for ${name}: want at least ${params.length} got ${args.length}`)
    }
    if (rest === undefined && given !== params.length) {
      stop(`wrong number of args for ${name}: want ${params.length} got ${given}`)
    }
    if (name === 'and' || name === 'or') return logic(dot, name, args, final)
    const values: Operand[] = args.map((arg, index) => argument(dot, params[index] ?? rest, arg))
    if (final !== undefined) values.push(validated(final.piped, params[given - 1] ?? rest, stop))
    if (name === 'call') return notCallable(node, args[0], values)
    state.budget.spend(1)
    try {
      return charged(func.call(values, context), state.budget)
    } catch (error) {
      if (!(error instanceof GoError)) throw error
      at(node)
      return state.fail(node, `error calling ${name}: ${error.text}`, error)
    }
  }
  function logic(
    dot: Operand,
    name: 'and' | 'or',
    args: readonly Argument[],
    final: Final,
  ): Operand {
    let value: Operand
    for (const arg of args) {
      value = argument(dot, rawType, arg)
      if (isTrue(unbox(value)) === (name === 'or')) return value
    }
    return final === undefined ? value : final.piped
  }
  /** No function can reach a template as a value here, so call always fails. */
  function notCallable(
    node: AnyNode,
    callee: Argument | undefined,
    values: readonly Operand[],
  ): never {
    at(node)
    const value = unbox(values[0])
    if (value === null) return stop('error calling call: call of nil')
    const name = callee === undefined ? reflected(value) : nodeText(callee)
    return stop(`error calling call: non-function ${name} of type ${typeOf(value)}`)
  }
  function reflected(value: Exclude<Value, null>): string {
    return typeof value === 'string' ? value : `<${typeOf(value)} Value>`
  }

  function argument(dot: Operand, type: string | undefined, node: Argument): Operand {
    at(node)
    switch (node.kind) {
      case 'dot':
        return validated(dot, type, stop)
      case 'nil':
        if (type === undefined) return undefined
        return canBeNil(type) ? zero(type) : stop(`cannot assign nil to ${type}`)
      case 'field':
        return validated(fieldChain(dot, dot, node, node.names, [node], undefined), type, stop)
      case 'variable':
        return validated(variable(dot, node, [], undefined), type, stop)
      case 'pipe':
        return validated(pipeline(dot, node), type, stop)
      case 'identifier':
        return validated(call(dot, node, node, [], undefined), type, stop)
      case 'chain':
        return validated(chain(dot, node, [], undefined), type, stop)
      case 'bool':
      case 'number':
      case 'string':
        return literal(node, type, stop)
    }
  }

  return {
    pipeline,
    at,
    stop,
    here: () => current,
  }
}
