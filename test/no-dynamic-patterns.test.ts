/**
 * No text from a file ever becomes a pattern of JavaScript's RegExp, which can take for ever. A RegExp comes from a literal, or from
 * its constructor, or from `match`, `matchAll` and `search` with a text. The last two are refused here, so that what is left are
 * literals: whatever `replace` or `split` are given is one of them, or a plain text. Patterns from files are for formats/regexp.
 */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { tokensOf, type SourceToken } from './testbed/source-tokens.ts'

const files = globSync('src/**/*.ts').filter((file) => !file.endsWith('.test.ts'))

/** Methods that make a pattern of a text. */
const making = new Set(['match', 'matchAll', 'search'])

export function dynamicPatterns(source: string): readonly string[] {
  const tokens = tokensOf(source)
  const literals = namesOfLiterals(tokens)
  return tokens.flatMap(({ kind, text, line }, index) => {
    if (kind !== 'word') return []
    if (text === 'RegExp' && !isType(tokens, index)) return [`line ${line}: RegExp is used`]
    const isCall = tokens[index - 1]?.text === '.' && tokens[index + 1]?.text === '('
    const argument = tokens[index + 2]
    if (!making.has(text) || !isCall || argument?.kind === 'pattern') return []
    const isNamed = literals.has(argument?.text ?? '') && tokens[index + 3]?.text === ')'
    return isNamed ? [] : [`line ${line}: ${text} is given ${argument?.text} and not a literal`]
  })
}

/** `const name = /…/`, with a type or without. */
function namesOfLiterals(tokens: readonly SourceToken[]): ReadonlySet<string> {
  const found = tokens.flatMap(({ kind }, index) => {
    const isConstant = tokens[index - 3]?.text === 'const' && tokens[index - 1]?.text === '='
    return kind === 'pattern' && isConstant ? [tokens[index - 2]!.text] : []
  })
  return new Set(found)
}

/** `x: RegExp`, `Map<string, RegExp>`, `readonly [RegExp, string]`, `x is RegExp`. */
function isType(tokens: readonly SourceToken[], index: number): boolean {
  const [before, after] = [tokens[index - 1]?.text ?? '', tokens[index + 1]?.text ?? '']
  return (
    [':', '<', ',', '[', '|', 'is', 'instanceof'].includes(before) && !['(', '.'].includes(after)
  )
}

for (const file of files) {
  test(`no pattern but literals: ${file}`, () => {
    assert.deepEqual(dynamicPatterns(readFileSync(file, 'utf8')), [])
  })
}

test('what makes a pattern of a text is found', () => {
  const refused = [
    'new RegExp(`^${name}$`)',
    'RegExp(name)',
    'const make = RegExp; make(name)',
    'Reflect.construct(RegExp, [name])',
    'globalThis.RegExp(name)',
    'text.match(name)',
    'text.matchAll(`${name}`)',
    "text.search('a' + name)",
    "text.match('(a+)+$')",
    'const x = 4 / 2; const y = 1 / new RegExp(z).lastIndex',
    'const a = `b ${/`/.test(c) ? text.match(name) : d}`',
  ]
  for (const source of refused) assert.equal(dynamicPatterns(source).length, 1, source)
  const allowed = [
    'text.match(/a+/g)',
    'const name = /a+/g\ntext.matchAll(name)',
    'function f(pattern: RegExp, more: Map<string, RegExp>): RegExp { return pattern }',
    "text.replace(name, '').split(sign)",
    "// new RegExp(name)\nconst a = 'new RegExp(name)' + `RegExp(x)` + /RegExp(x)/.source",
  ]
  for (const source of allowed) assert.deepEqual(dynamicPatterns(source), [], source)
})

/** Rooms that read what is written in repositories. */
const readers = /^src\/(?:formats|domains|sources|kinds|controller\/(?:declare|flux))\//
/** `x+$` is tried anew from every x of a long row of them, unless it must begin where the row does. */
const trailing = /^\/(?:\(\.\)|(?:\\?.)\?)?(?:\\.|\[[^\]]*\]|[^\\^(])[+*]\$\/[a-z]*$/
/** On texts of numbers and times that were made here, and on a path that has no two slashes in a row any more. */
const shortTexts = new Set([
  'src/formats/template/time/duration.ts /0+$/',
  'src/formats/template/time/format.ts /0+$/',
  'src/formats/template/fmt/float.ts /0+$/',
  'src/formats/kustomize/yaml/scalar.ts /0+$/',
  'src/formats/kustomize/transform/vars.ts /\\.?0+$/',
  'src/formats/compose/yaml/timestamp.ts /0+$/',
  'src/formats/compose/canonical/units.ts /0+$/',
  'src/formats/cel/times.ts /0+$/',
  'src/domains/stacks/render/placing.ts /(.)\\/+$/',
])

test('no pattern tries a long row of the same letter again and again', () => {
  const found = files
    .filter((file) => readers.test(file))
    .flatMap((file) => tokensOf(readFileSync(file, 'utf8')).map((token) => ({ ...token, file })))
    .filter(({ kind, text }) => kind === 'pattern' && trailing.test(text))
    .map(({ file, text }) => `${file} ${text}`)
  assert.deepEqual(
    [...new Set(found)].filter((one) => !shortTexts.has(one)),
    [],
  )
})
