/** The inside of an action: pipelines, commands, operands. */
import { GoError } from './errors.ts'
import type { ItemType } from './item.ts'
import { nodeText, type Argument, type Command, type Pipe, type Variable } from './nodes.ts'
import { numeral } from './numeral.ts'
import { quote, unquote } from './quote.ts'
import type { Tokens } from './tokens.ts'

const startsOperand: ReadonlySet<ItemType> = new Set([
  'bool',
  'charConstant',
  'complex',
  'dot',
  'field',
  'identifier',
  'number',
  'nil',
  'rawString',
  'string',
  'variable',
  'leftParen',
])
const deepest = 10000

export function pipelines(
  tokens: Tokens,
  fail: (message: string) => never,
  hasFunction: (name: string) => boolean,
) {
  const { next, peek, nextNonSpace, peekNonSpace, backup, unexpected } = tokens
  const variables = ['$']
  let depth = 0

  function pipeline(context: string, end: ItemType): Pipe {
    const { pos } = peekNonSpace()
    const declared: Variable[] = []
    const isAssign = declarations(context, declared)
    const commands: Command[] = []
    for (;;) {
      const item = nextNonSpace()
      if (item.type === end) {
        checkPipeline(commands, context)
        return { kind: 'pipe', pos, isAssign, declared, commands }
      }
      if (!startsOperand.has(item.type)) unexpected(item, context)
      backup()
      commands.push(command())
    }
  }
  /** `$x :=`, `$x =` and, in a range, `$i, $v :=`; anything else is put back. */
  function declarations(context: string, declared: Variable[]): boolean {
    for (;;) {
      const item = peekNonSpace()
      if (item.type !== 'variable') return false
      next()
      const after = peek()
      const following = peekNonSpace()
      const isComma = following.type === 'char' && following.value === ','
      if (following.type !== 'assign' && following.type !== 'declare' && !isComma) {
        if (after.type === 'space') tokens.backupThree(item, after)
        else tokens.backupTwo(item)
        return false
      }
      nextNonSpace()
      declared.push(variable(item.pos, item.value))
      variables.push(item.value)
      if (!isComma) return following.type === 'assign'
      if (context !== 'range' || declared.length >= 2) fail(`too many declarations in ${context}`)
      const { type } = peekNonSpace()
      if (type !== 'variable' && type !== 'rightDelim' && type !== 'rightParen') {
        fail('range can only initialize variables')
      }
    }
  }
  function checkPipeline(commands: readonly Command[], context: string): void {
    if (commands.length === 0) fail(`missing value for ${context}`)
    const constants = new Set(['bool', 'dot', 'nil', 'number', 'string'])
    const stage = commands.findIndex((each, index) => index > 0 && constants.has(each.first.kind))
    if (stage > 0) fail(`non executable command in pipeline stage ${stage + 1}`)
  }
  function command(): Command {
    const { pos } = peekNonSpace()
    const args: Argument[] = []
    for (;;) {
      peekNonSpace()
      const found = operand()
      if (found !== undefined) args.push(found)
      const item = next()
      if (item.type === 'space') continue
      if (item.type === 'rightDelim' || item.type === 'rightParen') backup()
      else if (item.type !== 'pipe') unexpected(item, 'operand')
      break
    }
    const [first] = args
    return first === undefined ? fail('empty command') : { kind: 'command', pos, first, args }
  }
  function operand(): Argument | undefined {
    const node = term()
    if (node === undefined || peek().type !== 'field') return node
    const { pos } = peek()
    const names: string[] = []
    while (peek().type === 'field') names.push(next().value.slice(1))
    switch (node.kind) {
      case 'field':
      case 'variable':
        return { kind: node.kind, pos, names: [...node.names, ...names] }
      case 'bool':
      case 'string':
      case 'number':
      case 'nil':
      case 'dot':
        return fail(`unexpected . after term ${quote(nodeText(node))}`)
      case 'chain':
      case 'identifier':
      case 'pipe':
        return { kind: 'chain', pos, node, names }
    }
  }
  function term(): Argument | undefined {
    const item = nextNonSpace()
    const { pos, value } = item
    const { type } = item
    switch (type) {
      case 'identifier':
        if (!hasFunction(value)) fail(`function ${quote(value)} not defined`)
        return { kind: 'identifier', pos, name: value }
      case 'dot':
      case 'nil':
        return { kind: type, pos }
      case 'variable':
        return useVariable(pos, value)
      case 'field':
        return { kind: 'field', pos, names: value.slice(1).split('.') }
      case 'bool':
        return { kind: 'bool', pos, value: value === 'true' }
      case 'charConstant':
      case 'complex':
      case 'number':
        return { kind: 'number', pos, numeral: orFail(() => numeral(value, type)) }
      case 'leftParen':
        return parenthesised()
      case 'string':
      case 'rawString':
        return { kind: 'string', pos, quoted: value, text: orFail(() => unquote(value)) }
      case 'assign':
      case 'char':
      case 'declare':
      case 'eof':
      case 'error':
      case 'keyword':
      case 'leftDelim':
      case 'pipe':
      case 'rightDelim':
      case 'rightParen':
      case 'space':
      case 'text':
        backup()
        return undefined
    }
  }
  function parenthesised(): Pipe {
    if (depth >= deepest) fail('max expression depth exceeded')
    depth++
    const pipe = pipeline('parenthesized pipeline', 'rightParen')
    depth--
    return pipe
  }
  function useVariable(pos: number, name: string): Variable {
    const node = variable(pos, name)
    if (!variables.includes(name)) fail(`undefined variable ${quote(name)}`)
    return node
  }
  function orFail<T>(read: () => T): T {
    try {
      return read()
    } catch (error) {
      return fail(error instanceof GoError ? error.text : String(error))
    }
  }
  return {
    pipeline,
    countVariables: () => variables.length,
    popVariables: (count: number): void => {
      variables.length = count
    },
  }
}

function variable(pos: number, name: string): Variable {
  return { kind: 'variable', pos, names: name.split('.') }
}
