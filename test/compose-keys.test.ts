/** docs/compose.md names every key that the loader knows, down to the last one: carried out, warned of or refused. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { build } from '#formats/compose/schema-build.ts'
import { deploy } from '#formats/compose/schema-deploy.ts'
import { composeFile } from '#formats/compose/schema-model.ts'
import { service } from '#formats/compose/schema-service.ts'
import type { Rule } from '#formats/compose/schema.ts'

const [, table = ''] = readFileSync('docs/compose.md', 'utf8').split('## Every key')
const parts = new Map(
  table.split('\n### ').map((part) => [part.slice(0, part.indexOf('\n')), part] as const),
)

/** Warned of or refused as a whole: what is below them needs no row. */
const whole = [
  'develop',
  'provider',
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

const { services: _, ...sections } = composeFile.map?.keys ?? {}

for (const [name, title, rule, more] of [
  ['a service', 'Services', service],
  ['deploy', '`deploy`', deploy],
  ['build', '`build`', build, ['secrets', 'ulimits']],
  ['networks', 'Networks, volumes, configs, secrets', sections['networks'] ?? {}],
  ['volumes', 'Networks, volumes, configs, secrets', sections['volumes'] ?? {}],
  ['configs', 'Networks, volumes, configs, secrets', sections['configs'] ?? {}],
  ['secrets', 'Networks, volumes, configs, secrets', sections['secrets'] ?? {}],
] as const satisfies readonly (readonly [string, string, Rule, (readonly string[])?])[]) {
  test(`every key of ${name} is in the table`, () => {
    const part = parts.get(title) ?? ''
    const keys = keysBelow(rule, more).filter((key) => key !== 'deploy')
    assert.ok(keys.length > 4, 'the rule has keys')
    const missing = keys.filter(
      (key) => !new RegExp(`\`([a-z_.]+\\.)?${key}(\\.[a-z_.]+)?\``).test(part),
    )
    assert.deepEqual(missing, [])
  })
}

test('every key of the file is in the table', () => {
  const part = parts.get('The file') ?? ''
  const keys = Object.keys(composeFile.map?.keys ?? {})
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
