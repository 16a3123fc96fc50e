/** What readYaml promises: data, places, and errors at their places. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Position } from './placing.ts'
import { readYaml } from './read-yaml.ts'

function shown(position: Position | undefined): string {
  return `${position?.line}:${position?.column}`
}

const text = `# a comment
a: 1
list:
  - name: x
    size: 0644
  - y
---
b: |
  ---
  not a document
`

test('documents are read as YAML, never split on text', () => {
  const { documents, errors } = readYaml(text)
  assert.deepEqual(errors, [])
  assert.deepEqual(
    documents.map((document) => document.value),
    [{ a: 1, list: [{ name: 'x', size: 644 }, 'y'] }, { b: '---\nnot a document\n' }],
  )
})

test('every key and value knows its line and column', () => {
  const [first, second] = readYaml(text).documents
  assert.equal(shown(first?.at), '2:1')
  assert.equal(shown(first?.valueAt(['a'])), '2:4')
  assert.equal(shown(first?.keyAt(['a'])), '2:1')
  assert.equal(shown(first?.valueAt(['list', 0, 'name'])), '4:11')
  assert.equal(shown(first?.keyAt(['list', 0, 'name'])), '4:5')
  assert.equal(shown(first?.keyAt(['list', 1])), '6:5')
  assert.equal(first?.sourceOf(['list', 0, 'size']), '0644')
  assert.equal(shown(second?.keyAt(['b'])), '8:1')
})

test('a path that leads nowhere points to the last thing on its way', () => {
  const [first] = readYaml(text).documents
  assert.equal(shown(first?.keyAt(['list', 0, 'missing', 'deep'])), '4:5')
  assert.equal(shown(first?.keyAt(['list', 7])), '3:1')
  assert.deepEqual(first?.rangesOf(['nothing']), [])
})

test('aliases and merge keys are followed to where the text is', () => {
  const [document] = readYaml(
    'base: &b {x: 1, y: 2}\nmore:\n  <<: *b\n  y: 3\nsame: *b\n',
  ).documents
  assert.deepEqual(document?.value, {
    base: { x: 1, y: 2 },
    more: { x: 1, y: 3 },
    same: { x: 1, y: 2 },
  })
  assert.equal(shown(document?.keyAt(['more', 'x'])), '1:11')
  assert.equal(shown(document?.keyAt(['more', 'y'])), '4:3')
  assert.equal(document?.rangesOf(['same']).length, 2)
})

const wrong: readonly (readonly [string, string])[] = [
  ['a: 1\nb: 2\na: 3\n', '3:1 the key a is there twice'],
  ['a: [1\n', '2:1 this list begins with [ and has no ] (or a line of it is not indented)'],
  ['a: *x\n', '1:4 nothing has the anchor &x'],
  ['a: !secret b\n', '1:4 unresolved tag: !secret'],
]
for (const [yaml, expected] of wrong) {
  test(`an error has its place: ${expected}`, () => {
    const { documents, errors } = readYaml(yaml)
    assert.deepEqual(documents, [])
    assert.equal(`${errors[0]?.line}:${errors[0]?.column} ${errors[0]?.message}`, expected)
  })
}

test('an error in one document leaves the others readable', () => {
  const { documents, errors } = readYaml('a: 1\n---\nb: 1\nb: 2\n---\nc: 3\n')
  assert.equal(errors.length, 1)
  assert.deepEqual(
    documents.map((document) => document.value),
    [{ a: 1 }, { c: 3 }],
  )
})

test('aliases that multiply are refused, and so is endless nesting', () => {
  const levels = ['a: &a0 [x,x,x,x,x,x,x,x,x]']
  for (let level = 1; level < 9; level++) {
    const before = `*a${level - 1}`
    levels.push(`b${level}: &a${level} [${Array.from({ length: 9 }, () => before).join(',')}]`)
  }
  assert.match(readYaml(levels.join('\n')).errors[0]?.message ?? '', /aliases/)
  assert.match(readYaml('['.repeat(20_000)).errors[0]?.message ?? '', /./)
})

test('what never ends, and a key that is no single value, is an error at its place', () => {
  for (const text of ['x: &a [*a]', 'x: &a { b: [1, *a] }']) {
    const { documents, errors } = readYaml(text)
    assert.deepEqual(documents, [])
    assert.match(errors[0]?.message ?? '', /the alias \*a stands inside of what it means/)
    assert.equal(errors[0]?.offset, text.indexOf('*a'))
  }
  for (const text of ['a:\n  <<: b\n', 'x: &b [1]\na:\n  <<: *b\n', 'a:\n  <<: [{ b: 1 }, 2]\n']) {
    const { documents, errors } = readYaml(text)
    assert.deepEqual(documents, [])
    assert.equal(errors[0]?.message, '<< takes a map, an alias of one, or a list of these', text)
    assert.equal(errors[0]?.offset, text.indexOf('<<'))
  }
  assert.deepEqual(readYaml('x: &b { c: 1 }\na: { <<: [*b, { d: 2 }] }\n').errors, [])
  assert.deepEqual(readYaml('a: { "<<": text }\n').errors, [])
  const [first] = readYaml('a: 1\n? { b: hunter2 }\n: 2\n').errors
  assert.equal(first?.line, 2)
  assert.equal(first?.message, 'a key must be a single value, not a map or a list')
})

test('no text whatever makes it throw', () => {
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom(...' \n\t-:?[]{}&*!|>%@"\'#,ab1<.~'.split(''))),
      (characters) => {
        const { documents } = readYaml(characters.join(''))
        for (const document of documents) document.keyAt(['a', 0])
      },
    ),
    { numRuns: 2000 },
  )
})

test('many keys and many aliases cost no more than their number', () => {
  const keys = Array.from({ length: 20_000 }, (_, index) => `k${index}: 1`)
  const anchors = Array.from({ length: 20_000 }, (_, index) => `- &a${index} 1\n- *a${index}`)
  const begun = process.cpuUsage()
  assert.deepEqual(readYaml(keys.join('\n')).errors, [])
  assert.deepEqual(readYaml(anchors.join('\n')).errors, [])
  const { user, system } = process.cpuUsage(begun)
  assert.ok(user + system < 15_000_000, `${user + system} µs`)
})
