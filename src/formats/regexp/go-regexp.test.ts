import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { PatternError } from './error.ts'
import { goRegExp } from './go-regexp.ts'
import { programSize } from './program-size.ts'

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

/** What Go 1.26 says of them. */
const refused: readonly (readonly [pattern: string, fault: string])[] = [
  ['(', 'missing closing ): `(`'],
  ['a)', 'unexpected ): `a)`'],
  ['[a', 'missing closing ]: `[a`'],
  ['*a', 'missing argument to repetition operator: `*`'],
  ['a**', 'invalid nested repetition operator: `**`'],
  ['(?=a)', 'invalid or unsupported Perl syntax: `(?=`'],
  ['\\1', 'invalid escape sequence: `\\1`'],
  ['[z-a]', 'invalid character class range: `z-a`'],
  ['\\', 'trailing backslash at end of expression: ``'],
  ['a{2,1}', 'invalid repeat count: `{2,1}`'],
  ['a{1001}', 'invalid repeat count: `{1001}`'],
  ['(a{500}){3}', 'invalid repeat count: `{3}`'],
  ['(?<!a)', 'invalid named capture: `(?<!a)`'],
  ['\\x{110000}', 'invalid escape sequence: `\\x{110000`'],
]
for (const [pattern, fault] of refused) {
  test(`no pattern: ${pattern}`, () =>
    assert.throws(() => goRegExp(pattern), new PatternError(`error parsing regexp: ${fault}`)))
}

test('places of groups count bytes in bytes and UTF-16 units in a text', () => {
  const pattern = goRegExp('(é)(?P<name>x)?')
  assert.deepEqual(pattern.names, ['', '', 'name'])
  assert.deepEqual(pattern.find('aéx', 0), [1, 3, 1, 2, 2, 3])
  assert.deepEqual(pattern.find(Buffer.from('aéx'), 0), [1, 4, 1, 3, 3, 4])
  assert.deepEqual(pattern.find('éé', 1), [1, 2, 1, 2, -1, -1])
  assert.equal(pattern.find('abc', 0), undefined)
  assert.deepEqual(goRegExp('^a|b').find('ab', 1), [1, 2])
  // a byte that is no UTF-8 is one letter, as in Go
  assert.deepEqual(goRegExp('^.(.)$').find(Buffer.from([0xff, 0x62]), 0), [0, 2, 1, 2])
})

test('patterns without signs are compared as texts, with the same answers', () => {
  assert.equal(goRegExp('web').test('a web b'), true)
  assert.equal(goRegExp('^web').test('a web'), false)
  assert.equal(goRegExp('web$').test('a web'), true)
  assert.equal(goRegExp('^web$').test('web'), true)
  assert.equal(goRegExp('^web$').test('web\n'), false)
  assert.deepEqual(goRegExp('web').find('a web', 0), [2, 5])
})

test('a short pattern that compiles to a huge program is refused before it is compiled', () => {
  const huge = '(?:x{1000})'.repeat(1300)
  for (const before of [
    '',
    '\\Q[\\E',
    '\\x{1001}',
    'a{01001}',
    '[[:alpha:]]',
    '[]]',
    '[^\\]]',
    '\\pL',
  ]) {
    assert.ok(programSize(before + huge) > 1_300_000, before)
    assert.throws(
      () => goRegExp(before + huge),
      /^PatternError: error parsing regexp: expression too large: `/,
    )
  }
  assert.ok(
    goRegExp('^[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?(\\.[a-z0-9]([-a-z0-9]{0,61}[a-z0-9])?)*$'),
  )
})

test('nested repetitions do not take for ever', () => {
  for (const pattern of ['^(a+)+$', '^(a|a)*$', '^(a|aa)+$', '^.*a.*a.*a.*a.*ab$']) {
    const text = `${'a'.repeat(20_000)}!`
    assert.equal(goRegExp(pattern).test(text), false)
    assert.equal(goRegExp(`${pattern}x`).find(text, 0), undefined)
  }
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
