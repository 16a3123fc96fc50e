/** The parts of an expression, by the precedence that CEL gives its operators. */
import { CelError } from './error.ts'
import { lex, positionOf, type Literal, type Token } from './lex.ts'
import { defined } from '#model/defined.ts'

export type Expression =
  | { readonly kind: 'literal'; readonly at: number; readonly literal: Literal | Constant }
  | { readonly kind: 'name'; readonly at: number; readonly name: string }
  | {
      readonly kind: 'field'
      readonly at: number
      readonly of: Expression
      readonly name: string
      readonly isOptional: boolean
    }
  | {
      readonly kind: 'item'
      readonly at: number
      readonly of: Expression
      readonly index: Expression
      readonly isOptional: boolean
    }
  | {
      readonly kind: 'call'
      readonly at: number
      readonly on: Expression | undefined
      readonly name: string
      readonly args: readonly Expression[]
    }
  | { readonly kind: 'list'; readonly at: number; readonly items: readonly Item[] }
  | { readonly kind: 'map'; readonly at: number; readonly entries: readonly Entry[] }

export type Constant = { readonly type: 'constant'; readonly value: boolean | null }
export type Item = { readonly value: Expression; readonly isOptional: boolean }
export type Entry = Item & { readonly key: Expression }

const reserved = new Set(
  'as break const continue else for function if import let loop package namespace return var void while'.split(
    ' ',
  ),
)
const constants = new Map([
  ['true', true],
  ['false', false],
  ['null', null],
])
const levels = [
  ['||'],
  ['&&'],
  ['<', '<=', '>=', '>', '==', '!=', 'in'],
  ['+', '-'],
  ['*', '/', '%'],
]
const deepest = 250

export function parse(text: string): Expression {
  const tokens = lex(text)
  let at = 0
  let depth = 0

  const here = (): Token => defined(tokens[at])
  function refuse(reason: string, place = here().at): never {
    throw new CelError(reason, positionOf(text, place))
  }
  function unexpected(): never {
    const token = here()
    return refuse(
      token.kind === 'end' ? 'the expression ends too early' : `${token.text} is not expected here`,
    )
  }
  function is(sign: string): boolean {
    const token = here()
    return token.text === sign && token.kind === (sign === 'in' ? 'name' : 'sign')
  }
  function skip(sign: string): boolean {
    if (!is(sign)) return false
    at++
    return true
  }
  function expect(sign: string): void {
    if (!skip(sign)) {
      if (here().kind === 'end') refuse(`the expression ends where ${sign} is missing`)
      refuse(`${sign} is missing before ${here().text}`)
    }
  }

  function expression(): Expression {
    if (++depth > deepest) refuse('this is nested too deeply')
    const condition = binary(0)
    const place = here().at
    if (!skip('?')) {
      depth--
      return condition
    }
    const yes = binary(0)
    expect(':')
    const no = expression()
    depth--
    return { kind: 'call', at: place, on: undefined, name: '?:', args: [condition, yes, no] }
  }

  function binary(level: number): Expression {
    const signs = levels[level]
    if (signs === undefined) return unary()
    let left = binary(level + 1)
    for (;;) {
      const token = here()
      const name = signs.find(is)
      if (name === undefined) return left
      at++
      const args = [left, binary(level + 1)]
      left = { kind: 'call', at: token.at, on: undefined, name, args }
    }
  }

  function unary(): Expression {
    const token = here()
    if (skip('!')) {
      let isTwice = false
      while (skip('!')) isTwice = !isTwice
      const inner = {
        kind: 'call',
        at: token.at,
        on: undefined,
        name: '!',
        args: [member()],
      } as const
      return isTwice
        ? { kind: 'call', at: token.at, on: undefined, name: '!', args: [inner] }
        : inner
    }
    if (!skip('-')) return member()
    let isNegative = true
    while (skip('-')) isNegative = !isNegative
    const next = here()
    const literal = isNegative && next.kind === 'value' ? negated(next.value) : undefined
    if (literal !== undefined) {
      at++
      return members({ kind: 'literal', at: token.at, literal })
    }
    const inner = member()
    return isNegative
      ? { kind: 'call', at: token.at, on: undefined, name: '-', args: [inner] }
      : inner
  }

  function member(): Expression {
    if (++depth > deepest) refuse('this is nested too deeply')
    const found = members(primary())
    depth--
    return found
  }

  function members(first: Expression): Expression {
    let found = first
    for (let length = 0; ; length++) {
      const place = here().at
      if (length > deepest) refuse('this is nested too deeply')
      if (skip('.')) {
        const isOptional = skip('?')
        const token = here()
        const isQuoted = token.kind === 'quoted'
        if (!isQuoted && (token.kind !== 'name' || token.text === 'in')) unexpected()
        at++
        found =
          !isOptional && !isQuoted && skip('(')
            ? { kind: 'call', at: token.at, on: found, name: token.text, args: list(')') }
            : { kind: 'field', at: token.at, of: found, name: token.text, isOptional }
      } else if (skip('[')) {
        const isOptional = skip('?')
        const index = expression()
        expect(']')
        found = { kind: 'item', at: place, of: found, index, isOptional }
      } else return found
    }
  }

  function primary(): Expression {
    const token = here()
    if (token.kind === 'value') {
      at++
      return { kind: 'literal', at: token.at, literal: token.value }
    }
    if (skip('(')) {
      const inner = expression()
      expect(')')
      return inner
    }
    if (skip('[')) return { kind: 'list', at: token.at, items: items(']') }
    if (skip('{')) return { kind: 'map', at: token.at, entries: entries() }
    skip('.')
    const name = here()
    if (name.kind !== 'name' || name.text === 'in') unexpected()
    const constant = constants.get(name.text)
    at++
    if (constant !== undefined) {
      return { kind: 'literal', at: name.at, literal: { type: 'constant', value: constant } }
    }
    if (reserved.has(name.text)) refuse(`${name.text} is a reserved word`, name.at)
    return skip('(')
      ? { kind: 'call', at: name.at, on: undefined, name: name.text, args: list(')') }
      : { kind: 'name', at: name.at, name: name.text }
  }

  function list(end: string): readonly Expression[] {
    const found: Expression[] = []
    if (skip(end)) return found
    do found.push(expression())
    while (skip(','))
    expect(end)
    return found
  }

  function items(end: string): readonly Item[] {
    const found: Item[] = []
    while (!is(end)) {
      const isOptional = skip('?')
      found.push({ value: expression(), isOptional })
      if (!skip(',')) break
    }
    expect(end)
    return found
  }

  function entries(): readonly Entry[] {
    const found: Entry[] = []
    while (!is('}')) {
      const isOptional = skip('?')
      const key = expression()
      expect(':')
      found.push({ key, value: expression(), isOptional })
      if (!skip(',')) break
    }
    expect('}')
    return found
  }

  const whole = expression()
  if (here().kind !== 'end') unexpected()
  return whole
}

function negated(literal: Literal): Literal | undefined {
  if (literal.type === 'int') return { type: 'int', value: -literal.value }
  return literal.type === 'double' ? { type: 'double', value: -literal.value } : undefined
}
