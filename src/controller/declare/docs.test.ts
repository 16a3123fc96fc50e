/** What the pages show is what is understood. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { loadDeclarations } from '#kinds/all.ts'
import { declarationsFrom } from './declarations-from.ts'
import { discoveryTimeout, leastMemory, usualLimits } from '../render/render-limits.ts'
import { variablesOfOrigin } from './origin.ts'
import { wholeExample } from './whole-example.ts'

const kinds = await loadDeclarations()

const pages = ['docs/service.md', 'docs/migrating.md'].map((path) => ({
  path,
  text: readFileSync(path, 'utf8'),
}))

for (const { path, text } of pages) {
  const blocks = [...text.matchAll(/```yaml\n([\s\S]*?)```/g)].map((match) => match[1]!)
  for (const [index, block] of blocks.entries()) {
    if (!/^(sources|discover|alerts|commitStatus|windows|render):/.test(block)) continue
    test(`${path}, example ${index + 1}`, () => {
      const isPolicy = block.startsWith('windows:')
      const shown = isPolicy ? `defaults:\n${block.replaceAll(/^/gm, '  ')}` : block
      const hasSources = block.startsWith('sources:')
      const source = 'sources: {shop: {directory: /x}}\n'
      const { problems } = declarationsFrom({
        files: [{ path: '/t.yaml', text: hasSources ? shown : source + shown }],
        environment: {},
        kinds,
      })
      assert.deepEqual(problems, [])
    })
  }
}

test('the example that editors are given is a tend.yaml', () => {
  const files = [{ path: '/t.yaml', text: JSON.stringify(wholeExample) }]
  assert.deepEqual(declarationsFrom({ files, environment: {}, kinds }).problems, [])
})

test('every variable of the origin is on the page for those who come from it', () => {
  const page = pages[1]!.text
  for (const name of variablesOfOrigin) assert.ok(page.includes(`\`${name}\``), name)
})

test('the limits on rendering that the page names are those in force', () => {
  const page = pages[0]!.text
  const { timeout, memory, answerBytes, resources } = usualLimits
  for (const shown of [
    `| processor time; by the clock three times that | ${timeout / 1000} s |`,
    `| memory that is resident | ${memory / 1024 ** 2} MB |`,
    `| what comes back | ${answerBytes / 1024 ** 2} MB, ${resources.toLocaleString('en')} resources |`,
    `at least \`${leastMemory / 1024 ** 2}M\``,
    `all applications of a repository | ${discoveryTimeout / 1000} s |`,
  ]) {
    assert.ok(page.includes(shown), shown)
  }
})
