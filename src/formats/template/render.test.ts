import assert from 'node:assert/strict'
import { X509Certificate } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { bcryptHash } from './crypto/bcrypt.ts'
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

test('mustToYaml prints what toYaml prints, and fails where that prints nothing', () => {
  assert.equal(render('{{ mustToYaml . }}', { a: 'no' }), 'a: "no"')
  assert.equal(render('{{ toYaml . }}', { a: Infinity }), '')
  assert.match(failure('{{ mustToYaml . }}', { a: Infinity }).message, /error calling mustToYaml: /)
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

test('a pattern that would take a backtracking engine ages is quick', () => {
  const text = '{{ regexMatch "^(a+)+$" (print (repeat 5000 "a") "!") }}'
  assert.equal(render(text, {}, { limits: { ...options.limits, steps: 100_000 } }), 'false')
})

test('a huge pattern ends at the limit of steps', () => {
  const text = '{{ range 99 }}{{ regexMatch "((a{0,90}){0,9}b?)*" (repeat 50000 "ab") }}{{ end }}'
  assert.match(failure(text).message, /limits\.steps/)
})

test('keys without end end at the limit of steps', () => {
  assert.match(failure('{{ range 99 }}{{ $_ := bcrypt "x" }}{{ end }}').message, /limits\.steps/)
})

test('a limit names the place where it was reached', () => {
  const error = failure('a\n{{ repeat 1000000000 "x" }}')
  assert.deepEqual([error.file, error.line], ['a.yaml', 2])
})

const drawing =
  '{{ randAlphaNum 12 }} {{ uuidv4 }} {{ randInt 0 1000 }} {{ shuffle "abcdef" }} {{ randBytes 9 }} {{ genPrivateKey "ed25519" }}'

test('the same seed and clock give the same bytes, another seed gives others', () => {
  assert.equal(render(drawing), render(drawing))
  assert.notEqual(render(drawing), render(drawing, {}, { seed: new Uint8Array([8]) }))
})

test('what other files draw does not change what a file draws', () => {
  const files = ['a', 'b'].map((path) => ({ path, text: drawing }))
  const alone = parseTemplates(files, options).render('b', {})
  const set = parseTemplates(files, options)
  const first = set.render('a', {})
  assert.equal(set.render('b', {}), alone)
  assert.notEqual(first, alone)
})

test('the set says whether a render drew on the clock or on the random stream', () => {
  const set = parseTemplates(
    [
      { path: 'plain', text: '{{ date "2006" 0 }}' },
      { path: 'clock', text: '{{ now | date "2006-01-02" }}' },
      { path: 'random', text: '{{ uuidv4 }}' },
    ],
    options,
  )
  set.render('plain', {})
  assert.deepEqual({ ...set.drew }, { clock: false, random: false })
  assert.equal(set.render('clock', {}), '2026-01-02')
  assert.deepEqual({ ...set.drew }, { clock: true, random: false })
  set.render('random', {})
  assert.deepEqual({ ...set.drew }, { clock: true, random: true })
})

test('certificates repeat, and an authority vouches for what it signed', () => {
  const text =
    '{{ $ca := genCA "ca" 365 }}{{ $ca.Cert }}|{{ (genSignedCert "web" (list "10.0.0.1") (list "web.local") 30 $ca).Cert }}'
  const rendered = render(text)
  assert.equal(rendered, render(text))
  const [authority, leaf] = rendered.split('|').map((pem) => new X509Certificate(pem))
  assert.ok(authority?.ca)
  assert.ok(leaf)
  assert.ok(leaf.verify(authority.publicKey))
  assert.ok(leaf.checkIssued(authority))
  assert.equal(leaf.subjectAltName, 'DNS:web.local, IP Address:10.0.0.1')
  assert.equal(leaf.validFromDate.getTime(), options.now)
  assert.equal(leaf.validToDate.getTime(), options.now + 30 * 86_400_000)
})

test('keys of elliptic curves sign the same certificate each time', () => {
  const text = '{{ (genCAWithKey "ca" 1 (genPrivateKey "ecdsa")).Cert }}'
  const certificate = new X509Certificate(render(text))
  assert.ok(certificate.verify(certificate.publicKey))
  assert.equal(render(text), render(text))
})

test('a bcrypt hash is the one that other implementations check', () => {
  const salt = Buffer.from(Array.from({ length: 16 }, (_, index) => index))
  assert.equal(
    bcryptHash(Buffer.from('secret'), salt, 4),
    '$2a$04$..CA.uOD/eaGAOmJB.yMBu4AbFLftUBUHQbseIwAiOGKsNRgByuEG',
  )
})

test('lookup asks the caller, and has nothing when nobody answers', () => {
  const text = '{{ (lookup "v1" "Secret" "ns" "name").data }}'
  const answered = render(text, {}, { lookup: (...query) => ({ data: query.join('/') }) })
  assert.equal(answered, 'v1/Secret/ns/name')
  assert.equal(render('{{ lookup "v1" "Secret" "" "" }}'), 'map[]')
})

const pieces =
  `{{ }} {{- -}} ( ) | . $ " ' , := = \\ /* */ if else end range with define template block break continue nil true
  $x .a .b.c 1 -2.5 0x1f "s" é printf %d list dict index include tpl toYaml fromYaml regexFind until repeat merge
  slice toDate substr eq and`
    .split(/\s+/)
    .concat(' ', '\n', '`')

test('whatever is put in, an output or a TemplateError comes out', () => {
  const text = fc.oneof(
    fc.array(fc.constantFrom(...pieces), { maxLength: 30 }).map((parts) => parts.join(' ')),
    fc
      .array(fc.constantFrom(...pieces), { maxLength: 30 })
      .map((parts) => `{{ ${parts.join('')} }}`),
    fc.string({ unit: 'binary', maxLength: 80 }),
  )
  const limits = { outputBytes: 10_000, steps: 10_000, depth: 20 }
  fc.assert(
    fc.property(text, fc.jsonValue(), (template, data) => {
      try {
        assert.equal(typeof render(template, data, { limits }), 'string')
      } catch (error) {
        assert.ok(error instanceof TemplateError, String(error))
      }
    }),
    { numRuns: 500 },
  )
})

test('what toYaml writes, fromYaml reads', () => {
  const set = parseTemplates([{ path: 'a', text: '{{ fromYaml (toYaml .) | toJson }}' }], options)
  const sound = fc.string({ unit: 'grapheme-ascii', maxLength: 20 })
  const { tree } = fc.letrec((tie) => ({
    tree: fc.oneof(
      { depthSize: 'small' },
      sound,
      fc.boolean(),
      fc.constant(null),
      fc.nat(),
      tie('list'),
      tie('map'),
    ),
    list: fc.array(tie('tree'), { maxLength: 4 }),
    map: fc.dictionary(sound, tie('tree'), { maxKeys: 4 }),
  }))
  fc.assert(
    fc.property(tree, (held) => {
      assert.deepEqual(JSON.parse(set.render('a', { held })), JSON.parse(JSON.stringify({ held })))
    }),
    { numRuns: 200 },
  )
})
