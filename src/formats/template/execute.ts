/** Walks a template and writes its output. */
import { toText } from './bytes.ts'
import { GoError, LimitError, type TemplatePosition } from './errors.ts'
import { evaluator, type MissingKey } from './evaluate.ts'
import { plain } from './fmt/print.ts'
import type { Context, Library } from './library.ts'
import {
  nodeText,
  type AnyNode,
  type Branch,
  type Invocation,
  type Node,
  type Nodes,
  type Pipe,
} from './nodes.ts'
import type { Template } from './parser.ts'
import { quote } from './quote.ts'
import type { Scope } from './scope.ts'
import { element, integerOf, isTrue, sized, sortedKeys, unbox, type Operand } from './values.ts'

export type Surroundings = {
  readonly scope: Scope
  readonly library: Library
  readonly missingKey: MissingKey
  readonly context: Context
}

/** Where a stretch of the output comes from: text of a file, or an action in it. Offset and length in bytes. */
export type Piece = {
  readonly file: string
  readonly offset: number
  readonly length: number
  readonly isLiteral: boolean
}

/** Hears of every stretch of the output, in order, with its bytes. */
export type Trace = (piece: Piece, text: string) => void

export type Output = {
  write(text: string, template: Template, node: AnyNode): void
  text(): string
}

/** One buffer of output, never longer than the whole may be. */
export function output(context: Context, trace?: Trace): Output {
  const parts: string[] = []
  let length = 0
  return {
    write(text, { source }, node) {
      length += text.length
      context.budget.text(text)
      context.budget.fits(length)
      parts.push(text)
      const file = toText(source.name)
      const isLiteral = node.kind === 'text'
      trace?.({ file, offset: node.pos, length: text.length, isLiteral }, text)
    },
    text: () => parts.join(''),
  }
}

type Jump = 'break' | 'continue' | undefined

export function execute(
  template: Template,
  data: Operand,
  out: Output,
  around: Surroundings,
  depth: number,
): void {
  const { budget } = around.context
  budget.nest(depth)
  const variables: { readonly name: string; value: Operand }[] = [{ name: '$', value: data }]

  const { pipeline, at, stop, here } = evaluator({
    ...around,
    budget,
    fail,
    variable(_, name) {
      return find(name).value
    },
    assign(_, name, value) {
      find(name).value = value
    },
    declare(name, value) {
      variables.push({ name, value })
    },
  })

  function find(name: string): { value: Operand } {
    for (let index = variables.length - 1; index >= 0; index--) {
      const each = variables[index]
      if (each?.name === name) return each
    }
    return stop(`undefined variable: ${name}`)
  }
  function fail(node: AnyNode, message: string, cause?: GoError): never {
    const { place, where } = placeOf(template, node)
    const said = `executing ${quote(template.name)} at <${nodeText(node)}>: ${message}`
    const isCall = cause?.origin !== undefined
    const origin = cause?.origin ?? { place, text: said }
    const callers = isCall ? [...cause.callers, { place, call: toText(nodeText(node)) }] : []
    throw new GoError(`template: ${where}: ${said}`, origin, callers)
  }

  function walkList(dot: Operand, { nodes }: Nodes): Jump {
    for (const node of nodes) {
      const jump = walk(dot, node)
      if (jump !== undefined) return jump
    }
    return undefined
  }
  function walk(dot: Operand, node: Node): Jump {
    budget.spend(1)
    at(node)
    switch (node.kind) {
      case 'text':
        out.write(node.text, template, node)
        return undefined
      case 'action': {
        const value = pipeline(dot, node.pipe)
        if (node.pipe.declared.length === 0) print(value, node)
        return undefined
      }
      case 'if':
      case 'with':
        return walkCondition(dot, node)
      case 'range':
        return walkRange(dot, node)
      case 'template':
        walkTemplate(dot, node)
        return undefined
      case 'list':
        return walkList(dot, node)
      case 'break':
      case 'continue':
        return node.kind
    }
  }
  function print(value: Operand, node: AnyNode): void {
    at(node)
    const held = unbox(value)
    out.write(held === null ? '<no value>' : plain(held, budget), template, node)
  }
  function walkCondition(dot: Operand, { kind, pipe, list, elseList }: Branch): Jump {
    const mark = variables.length
    const value = pipeline(dot, pipe)
    let jump: Jump
    if (isTrue(unbox(value))) jump = walkList(kind === 'with' ? value : dot, list)
    else if (elseList !== undefined) jump = walkList(dot, elseList)
    variables.length = mark
    return jump
  }
  function walkRange(dot: Operand, node: Branch): Jump {
    const mark = variables.length
    const value = unbox(pipeline(dot, node.pipe))
    const inner = variables.length
    let ran = false
    let jump: Jump
    for (const [index, item] of elements(value, node.pipe)) {
      ran = true
      budget.spend(1)
      bind(node.pipe, index, item)
      const left = walkList(item, node.list)
      variables.length = inner
      if (left === 'break') break
    }
    if (!ran && node.elseList !== undefined) jump = walkList(dot, node.elseList)
    variables.length = mark
    return jump
  }
  function bind({ declared, isAssign }: Pipe, index: Operand, item: Operand): void {
    const [first, second] = declared.map(({ names }) => names[0] ?? '')
    if (first === undefined) return
    if (isAssign) {
      find(first).value = second === undefined ? item : index
      if (second !== undefined) find(second).value = item
      return
    }
    const top = variables.at(-1)
    if (top !== undefined) top.value = item
    const below = variables.at(-2)
    if (second !== undefined && below !== undefined) below.value = index
  }
  function* elements(value: ReturnType<typeof unbox>, pipe: Pipe): Generator<[Operand, Operand]> {
    if (value === null) return
    const count = integerOf(value)
    if (count !== undefined) {
      if (pipe.declared.length > 1) {
        stop(`can't use ${plain(value, budget)} to iterate over more than one variable`)
      }
      for (let index = 0n; index < count; index++) {
        yield [
          undefined,
          typeof value === 'object' && value.kind === 'sized' ? sized(value.type, index) : index,
        ]
      }
      return
    }
    if (typeof value === 'object' && value.kind === 'list') {
      for (const [index, item] of value.items.entries()) yield [BigInt(index), element(value, item)]
      return
    }
    if (typeof value === 'object' && value.kind === 'dict') {
      const sorted = sortedKeys(value).map((key) => [key, value.entries.get(key) ?? null] as const)
      for (const [key, item] of sorted) yield [key, element(value, item)]
      return
    }
    stop(`range can't iterate over ${plain(value, budget)}`)
  }
  function walkTemplate(dot: Operand, node: Invocation): void {
    const called = around.scope.find(node.name) ?? stop(`template ${quote(node.name)} not defined`)
    const value = node.pipe === undefined ? undefined : pipeline(dot, node.pipe)
    execute(called, value, out, around, depth + 1)
  }

  try {
    walkList(data, template.root)
  } catch (error) {
    if (error instanceof LimitError)
      error.place ??= placeOf(template, here() ?? template.root).place
    throw error
  }
}

/** Lines from 1, columns in bytes from 0 (on the first line from the start of the text). */
function placeOf(
  { source }: Template,
  { pos }: AnyNode,
): { place: TemplatePosition; where: string } {
  const before = source.text.slice(0, pos)
  const line = before.split('\n').length
  const column = pos - (before.lastIndexOf('\n') + 1)
  return {
    place: { file: toText(source.name), line, column },
    where: `${source.name}:${line}:${column}`,
  }
}
