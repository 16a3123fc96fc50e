/** The loader knows every key of the specification, and docs/compose.md names each of them: carried out, warned of or refused. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { build } from '#formats/compose/schema/build.ts'
import type { Rule } from '#formats/compose/schema/check.ts'
import { deploy } from '#formats/compose/schema/deploy.ts'
import { composeFile } from '#formats/compose/schema/file.ts'
import { service } from '#formats/compose/schema/service.ts'

const [, table = ''] = readFileSync('docs/compose.md', 'utf8').split('## Every key')
const parts = new Map(
  table.split('\n### ').map((part) => [part.slice(0, part.indexOf('\n')), part] as const),
)

/** Warned of or refused as a whole: what is below them needs no row. */
const whole = [
  'develop',
  'provider',
  'pre_start',
  'models',
  'credential_spec',
  'placement',
  'generic_resources',
  'rollback_config',
  // have a part of their own
  'services',
  'build',
  'deploy',
]

/** The names of all keys below a rule, however deep. */
function keysBelow(rule: Rule, more: readonly string[] = []): readonly string[] {
  const { keys = {}, others } = rule.map ?? {}
  const own = Object.entries(keys).flatMap(([key, below]) =>
    [...whole, ...more].includes(key) ? [key] : [key, ...keysBelow(below)],
  )
  const deeper = [others?.rule, rule.list?.items].flatMap((below) =>
    below === undefined ? [] : keysBelow(below),
  )
  return [...new Set([...own, ...deeper])]
}

/** Paths of all keys below a rule; `*` stands for names that the user chooses. */
function pathsBelow(rule: Rule): readonly string[] {
  const { keys = {}, others } = rule.map ?? {}
  const below = (key: string, lower: Rule | undefined): readonly string[] =>
    lower === undefined ? [] : pathsBelow(lower).map((path) => `${key}.${path}`)
  return [
    ...Object.entries(keys).flatMap(([key, lower]) => [key, ...below(key, lower)]),
    ...below('*', others?.rule),
    ...(rule.list === undefined ? [] : pathsBelow(rule.list.items)),
  ]
}

test('the loader knows the keys of the specification, and no others', () => {
  const file = 'test/conformance/cases/compose-keys.json'
  const specified: unknown = JSON.parse(readFileSync(file, 'utf8'))
  assert.deepEqual([...new Set(pathsBelow(composeFile.rule))].toSorted(), specified)
})

const { services: _, ...sections } = composeFile.rule.map?.keys ?? {}

for (const [name, title, rule, more] of [
  ['a service', 'Services', service.rule],
  ['deploy', '`deploy`', deploy.rule],
  ['build', '`build`', build.rule, ['secrets', 'ulimits']],
  ['include', 'The file', sections['include'] ?? {}],
  ['networks', 'Networks, volumes, configs, secrets', sections['networks'] ?? {}],
  ['volumes', 'Networks, volumes, configs, secrets', sections['volumes'] ?? {}],
  ['configs', 'Networks, volumes, configs, secrets', sections['configs'] ?? {}],
  ['secrets', 'Networks, volumes, configs, secrets', sections['secrets'] ?? {}],
] as const satisfies readonly (readonly [string, string, Rule, (readonly string[])?])[]) {
  test(`every key of ${name} is in the table`, () => {
    const part = parts.get(title) ?? ''
    const keys = keysBelow(rule, more).filter((key) => key !== 'deploy')
    assert.ok(keys.length > 2, 'the rule has keys')
    const missing = keys.filter(
      (key) => !new RegExp(`\`([a-z_.]+\\.)?${key}(\\.[a-z_.]+)?\``).test(part),
    )
    assert.deepEqual(missing, [])
  })
}

test('every key of the file is in the table', () => {
  const part = parts.get('The file') ?? ''
  const keys = Object.keys(composeFile.rule.map?.keys ?? {})
  assert.ok(keys.length > 5)
  assert.deepEqual(
    keys.filter((key) => !part.includes(`\`${key}\``)),
    [],
  )
})

test('every row of the table says what becomes of its keys', () => {
  const rows = table.split('\n').filter((line) => /^\| .*`/.test(line))
  const unclear = rows.filter((row) => !/\| (yes|warned|refused|see below) \|/.test(row))
  assert.ok(rows.length > 40)
  assert.deepEqual(unclear, [])
})
