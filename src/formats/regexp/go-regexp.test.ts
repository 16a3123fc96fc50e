import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { goRegExp } from './go-regexp.ts'

const examples: readonly (readonly [pattern: string, fitting: string[], not: string[]])[] = [
  ['^(?:web)$', ['web'], ['webs', 'a web']],
  ['web|api', ['web', 'my-api'], ['db']],
  ['^w.*b$', ['wb', 'web'], ['w\nb', 'wed']],
  ['(?s)^w.*b$', ['w\nb'], []],
  ['(?i)WEB', ['wEb'], []],
  ['(?i:W)eb', ['web'], ['wEB']],
  ['^[a-c]{2,3}$', ['ab', 'abc'], ['a', 'abca']],
  ['^[^a-c]+$', ['xyz'], ['xaz']],
  ['^[]x-]+$', [']x-'], ['y']],
  ['^[[:alpha:]_]+$', ['ab_'], ['a1']],
  ['^\\d+\\.\\w$', ['12.a'], ['12xa']],
  ['\\bweb\\b', ['a web b'], ['webs']],
  ['^\\Qa.b\\E$', ['a.b'], ['axb']],
  ['^a{,2}$', ['a{,2}'], ['a']],
  ['^\\p{L}+$', ['Straße'], ['a1']],
  ['^\\x41\\x{42}$', ['AB'], ['ab']],
  ['^(?P<name>x)?$', ['', 'x'], ['y']],
  ['', ['', 'x'], []],
]

for (const [pattern, fitting, not] of examples) {
  test(`pattern ${pattern}`, () => {
    const expression = goRegExp(pattern)
    assert.deepEqual(
      fitting.filter((text) => !expression.test(text)),
      [],
    )
    assert.deepEqual(
      not.filter((text) => expression.test(text)),
      [],
    )
  })
}

for (const pattern of [
  '(',
  'a)',
  '[a',
  '*a',
  'a**',
  '(?=a)',
  '\\1',
  '[z-a]',
  '\\',
  'a{2,1}',
  '(?<!a)',
]) {
  test(`no pattern: ${pattern}`, () =>
    assert.throws(() => goRegExp(pattern), /no regular expression/))
}

test('nested repetitions do not take for ever', () => {
  assert.equal(goRegExp('^(?:(a+)+)$').test(`${'a'.repeat(5000)}!`), false)
})

test('patterns that both know give the answer that the platform gives', () => {
  const atom = fc.constantFrom('a', 'b', '.', '[ab]', '[^a]', '\\d', '(a|b)', '(ab)', '1', '$', '^')
  const piece = fc
    .tuple(atom, fc.constantFrom('', '*', '+', '?', '{2}', '{1,2}'))
    .map((p) => p.join(''))
  const pattern = fc.array(piece, { maxLength: 5 }).map((pieces) => pieces.join(''))
  fc.assert(
    fc.property(
      pattern,
      fc.string({ unit: fc.constantFrom('a', 'b', '1'), maxLength: 8 }),
      (source, text) => {
        fc.pre(!/[$^][*+?{]/.test(source))
        assert.equal(goRegExp(source).test(text), new RegExp(source, 'u').test(text), source)
      },
    ),
  )
})
