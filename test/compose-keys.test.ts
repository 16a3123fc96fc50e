/** docs/compose.md names every key that the loader knows: of the file, of services, of their deploy and build, and of the rest. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { build } from '#formats/compose/schema-build.ts'
import { deploy } from '#formats/compose/schema-deploy.ts'
import { service } from '#formats/compose/schema-service.ts'
import type { Rule } from '#formats/compose/schema.ts'

const [, table = ''] = readFileSync('docs/compose.md', 'utf8').split('## Every key')
const parts = new Map(
  table.split('\n### ').map((part) => [part.slice(0, part.indexOf('\n')), part] as const),
)

for (const [name, title, rule] of [
  ['a service', 'Services', service],
  ['deploy', '`deploy`', deploy],
  ['build', '`build`', build],
] as const satisfies readonly (readonly [string, string, Rule])[]) {
  test(`every key of ${name} is in the table`, () => {
    const keys = Object.keys(rule.map?.keys ?? {}).filter((key) => key !== 'deploy')
    const part = parts.get(title) ?? ''
    assert.ok(keys.length > 5, 'the rule has keys')
    assert.deepEqual(
      keys.filter((key) => !new RegExp(`\`([a-z_.]+\\.)?${key}(\\.[a-z.]+)?\``).test(part)),
      [],
    )
  })
}
