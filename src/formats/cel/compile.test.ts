/** Expressions with the answers that Google's own implementation in Go gives to them. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import fc from 'fast-check'
import { compile, type Json } from './compile.ts'
import { CelError } from './error.ts'

type Case = {
  readonly expr: string
  readonly value?: Json
  readonly fails?: 'compile' | 'evaluate'
}

const recorded: {
  readonly variables: { readonly [name: string]: Json }
  readonly cases: readonly Case[]
} = JSON.parse(
  readFileSync(join(import.meta.dirname, '../../../test/conformance/cases/cel.json'), 'utf8'),
)

for (const { expr, value, fails } of recorded.cases) {
  test(`CEL: ${expr}`, () => {
    if (fails === 'compile') assert.throws(() => compile(expr), CelError)
    else {
      const program = compile(expr)
      const evaluate = () => program.evaluate(recorded.variables)
      if (fails === 'evaluate') assert.throws(evaluate, CelError)
      else if (value === undefined) evaluate()
      else assert.deepEqual(evaluate(), value)
    }
  })
}

test('an error says where in the text it is', () => {
  const at = (text: string) => {
    try {
      return compile(text).evaluate(recorded.variables)
    } catch (error) {
      return error instanceof CelError ? error.message : error
    }
  }
  assert.equal(at('status.nope'), '1:8: there is no key nope')
  assert.equal(at('1 +\n  2 ) 3'), '2:5: ) is not expected here')
  assert.equal(at("status.phase ==\n 'x' && nope"), false)
  assert.equal(at("status.phase !=\n 'x' && nope"), '2:9: there is no variable nope')
  assert.equal(at("1 + 'a'"), '1:3: there is no int + string')
  assert.equal(at('status.conditions[9]'), '1:18: the list has no item 9')
  assert.equal(at("size(status.conditions) > '1'"), '1:25: int and string have no order')
  assert.equal(at('foo(1)'), '1:1: there is no function foo')
})

test('names that every object has are no variables and no fields', () => {
  for (const text of ['constructor', 'status.constructor', 'toString', '__proto__', "'a'.at(0)"]) {
    assert.throws(() => compile(text).evaluate(recorded.variables), CelError)
  }
  assert.equal(compile('has(status.constructor)').evaluate(recorded.variables), false)
})

test('whatever the text, it ends as a value or as a CelError', () => {
  const piece = fc.constantFrom(
    ...'status phase has ( ) [ ] { } . , ? : ! - + * / % && || == in 1 2.5 "a" b\'c\' true null map(x,x) size'.split(
      ' ',
    ),
  )
  fc.assert(
    fc.property(fc.array(piece), (pieces) => {
      try {
        compile(pieces.join(' ')).evaluate(recorded.variables)
      } catch (error) {
        assert.ok(error instanceof CelError, String(error))
      }
    }),
  )
})

test('what is nested too deeply is refused', () => {
  assert.throws(() => compile('('.repeat(10_000)), CelError)
  assert.throws(() => compile('!'.repeat(10_000)), CelError)
  assert.throws(() => compile('[1].map(x,'.repeat(1000)), CelError)
})

test('an expression that multiplies its work, or its size, is stopped', () => {
  const tens = '[1,1,1,1,1,1,1,1,1,1]'
  const nested = (depth: number, inside = 'false'): string =>
    depth === 0 ? inside : `${tens}.exists(x${depth}, ${nested(depth - 1, inside)})`
  const long = `['${'x'.repeat(1000)}']${'.map(s, s + s)'.repeat(9)}[0]`
  const shared = `[${tens}]${'.map(y, [y, y, y, y, y, y, y, y, y, y])'.repeat(9)}`
  const hostile = [
    nested(9),
    `${nested(9)} || true`,
    nested(9, '1 / 0 == 1'),
    nested(6, "timestamp('2026-01-01T00:00:00Z').getHours('Europe/Berlin') == 30"),
    nested(4, `'${'x'.repeat(1000)}'.matches('(x{1000}){19}y')`),
    nested(5, `"%.500000000f".format([1e22]) == ''`),
    `["aaaaaaaaaa"]${'.map(x, x + x)'.repeat(40)}`,
    `${long}.replace('x', ${long}).size() > 0`,
    `${long}.replace('', ${long}).size() > 0`,
    `${long}.split('').join(${long}).size() > 0`,
    `${long}.indexOf(${long} + 'y') > 0`,
    `sets.contains(${long}.split(''), ${long}.split(''))`,
    `double(${long}.replace('x', '1') + 'z') > 1.0`,
    `${shared} == ${shared}`,
    shared,
    `many.all(one, one in many)`,
    `a${'.a'.repeat(4_900)}`,
    `true${'?true'.repeat(2_000)}${':true'.repeat(2_000)}`,
  ]
  const many = Array.from({ length: 20_000 }, (_, index) => index)
  for (const text of hostile) {
    const begun = process.threadCpuUsage()
    assert.throws(
      () => compile(text).evaluate({ many }),
      (error) => error instanceof CelError && error.message.length < 600,
      text,
    )
    const { user, system } = process.threadCpuUsage(begun)
    // a turn of the service: about 20 ms where nothing else is done
    assert.ok(user + system < 300_000, `${user + system} µs: ${text.slice(0, 100)}`)
  }
})

test('what an evaluation costs is taken from the budget that is handed in', () => {
  const program = compile("items.exists(i, i.name == 'b')")
  const budget = { left: 1_000 }
  assert.equal(program.evaluate({ items: [{ name: 'a' }, { name: 'b' }] }, budget), true)
  assert.ok(budget.left < 1_000 && budget.left > 900, String(budget.left))
  assert.throws(() => program.evaluate({ items: [{ name: 'a' }] }, { left: 3 }), /costs more/)
})
