/** What a tree keeps of how it was written, and where go-yaml differs from YAML's specification. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseFirstDocument, parseSyntax, type Syntax } from './syntax.ts'
import { YamlSyntaxError } from './yaml-syntax-error.ts'

/** The values of a map by their keys, where both are scalars or in brackets. */
function sketch(syntax: Syntax | undefined): unknown {
  if (syntax === undefined || syntax.kind === 'alias') return syntax?.name
  if (syntax.kind === 'scalar') return syntax.style
  if (syntax.kind === 'list') return syntax.items.map(sketch)
  const pairs = syntax.pairs.map(({ key, value }) => [
    key.kind === 'scalar' ? key.value : '?',
    sketch(value),
  ])
  return Object.fromEntries(pairs)
}

test('a scalar keeps the style that it was written in, and a list or map its brackets', () => {
  const text = `a: x\nb: 'x'\nc: "x"\nd: |\n  x\ne: >\n  x\nf: &n {g: []}\nh: *n\n`
  const root = parseFirstDocument(text)
  assert.deepEqual(sketch(root), {
    a: 'plain',
    b: 'single',
    c: 'double',
    d: 'literal',
    e: 'folded',
    f: { g: [] },
    h: 'n',
  })
  const pairs = root?.kind === 'map' ? root.pairs : []
  const brackets = pairs.map(({ value }) => 'isFlow' in value && value.isFlow)
  assert.deepEqual(brackets, [false, false, false, false, false, true, false])
  assert.deepEqual(pairs.map(({ colon }) => text[colon]).join(''), ':::::::')
})

test('whatever follows the first document is not read, unless all documents are wanted', () => {
  for (const text of ['a: b\n...\n}{\n', '---\na: b\n---\n- c\n}\n']) {
    assert.deepEqual(sketch(parseFirstDocument(text)), { a: 'plain' }, text)
    assert.throws(() => parseSyntax(text), YamlSyntaxError, text)
  }
  assert.equal(parseFirstDocument('# nothing\n'), undefined)
})

test('what go-yaml takes against the specification is taken', () => {
  assert.deepEqual(sketch(parseFirstDocument('a: "x\ny"\nb: {c:\nd}\n')), {
    a: 'double',
    b: { c: 'plain' },
  })
})

test('what go-yaml refuses is refused, at its offset', () => {
  const refused = [
    ['{a:{b: c}}', 3],
    ['a: b\u0007', 4],
    ['a: "\\/"', 4],
  ] as const
  for (const [text, offset] of refused) {
    assert.throws(() => parseFirstDocument(text), { name: 'YamlSyntaxError', offset }, text)
  }
})
