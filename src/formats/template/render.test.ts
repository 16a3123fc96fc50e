import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseTemplates, TemplateError, type TemplateOptions } from './render.ts'

const options: TemplateOptions = {
  missingKey: 'zero',
  now: Date.UTC(2026, 0, 2, 3, 4, 5),
  seed: new Uint8Array([7]),
  limits: { outputBytes: 1_000_000, steps: 1_000_000, depth: 200 },
}

function render(text: string, data: unknown = {}, changed: Partial<TemplateOptions> = {}): string {
  return parseTemplates([{ path: 'a.yaml', text }], { ...options, ...changed }).render(
    'a.yaml',
    data,
  )
}

function failure(
  text: string,
  data: unknown = {},
  changed: Partial<TemplateOptions> = {},
): TemplateError {
  try {
    render(text, data, changed)
  } catch (error) {
    assert.ok(error instanceof TemplateError, String(error))
    return error
  }
  return assert.fail('rendered')
}

test('numbers of the data are floats, bigints are ints', () => {
  assert.equal(render('{{ printf "%T %T" .a .b }}', { a: 3, b: 3n }), 'float64 int')
})

test('an error knows its place and what Go would print', () => {
  const error = failure('a\n  {{ .name.x }}', { name: 'web' })
  assert.deepEqual([error.file, error.line, error.column], ['a.yaml', 2, 10])
  assert.equal(
    error.goText,
    `template: a.yaml:2:10: executing "a.yaml" at <.name.x>: can't evaluate field x in type interface {}`,
  )
})

test('an error inside an included template points into that template', () => {
  const set = parseTemplates(
    [
      { path: 'a.yaml', text: '{{ include "h" . }}' },
      { path: '_h.tpl', text: '{{ define "h" }}\n{{ .x.y }}{{ end }}' },
    ],
    options,
  )
  assert.throws(() => set.render('a.yaml', {}), { file: '_h.tpl', line: 2 })
})

test('what one render sets in the data, no other sees', () => {
  const data = { m: {} }
  const text = '{{ if hasKey .m "x" }}seen{{ end }}{{ $_ := set .m "x" 1 }}'
  const set = parseTemplates([{ path: 'a', text }], options)
  assert.equal(set.render('a', data) + set.render('a', data), '')
  assert.deepEqual(data, { m: {} })
})

for (const [name, text, limit] of [
  ['nested ranges', '{{ range 9999 }}{{ range 9999 }}{{ end }}{{ end }}', 'steps'],
  ['a huge repeat', '{{ repeat 1000000000 "x" }}', 'outputBytes'],
  ['a huge until', '{{ until 1000000000 }}', 'steps'],
  [
    'a doubled text',
    '{{ $x := "xx" }}{{ range 60 }}{{ $x = print $x $x }}{{ end }}',
    'outputBytes',
  ],
  ['a wide verb', '{{ range 9999 }}{{ printf "%900000d" 1 }}{{ end }}', 'outputBytes'],
  [
    'a template in itself',
    '{{ define "t" }}{{ template "t" }}{{ end }}{{ template "t" }}',
    'depth',
  ],
  [
    'an include in itself',
    '{{ define "t" }}{{ include "t" . }}{{ end }}{{ include "t" . }}',
    'depth',
  ],
  ['a map in itself', '{{ $d := dict }}{{ $_ := set $d "d" $d }}{{ $d }}', 'depth'],
] as const) {
  test(`${name} ends at the limit of ${limit}`, () => {
    assert.match(failure(text).message, new RegExp(`limits\\.${limit}`))
  })
}
