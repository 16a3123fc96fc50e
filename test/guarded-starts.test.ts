/** Containers of followed applications are started in one place, where what they bind is looked at on the disk. */
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { containerVerbs as ofCharts } from '#domains/charts/operate/container.ts'
import { containerVerbs as ofStacks } from '#domains/stacks/operate/container.ts'

/** By hand nothing is confined, and a client only knows how to say it. */
const isElsewhere = /^src\/(clients|cli)\//
const starts = /\b(startContainer|restartContainer|initContainer|startPod|restartPod)\b/

test('only the verbs of the two domains start containers', () => {
  const found = globSync('src/**/*.ts')
    .filter(
      (file) =>
        !file.endsWith('.test.ts') &&
        !isElsewhere.test(file) &&
        starts.test(readFileSync(file, 'utf8')),
    )
    .toSorted()
  assert.deepEqual(found, [
    'src/domains/charts/operate/container.ts',
    'src/domains/stacks/operate/container.ts',
    'src/model/container-engine.ts',
  ])
})

test('each of those verbs looks at the disk first', () => {
  for (const [file, verbs] of [
    ['src/domains/charts/operate/container.ts', ofCharts],
    ['src/domains/stacks/operate/container.ts', ofStacks],
  ] as const) {
    const text = readFileSync(file, 'utf8')
    const starting = Object.keys(verbs).filter((verb) =>
      /\.(create|rehearse|files|start|restart)$/.test(verb),
    )
    assert.ok(starting.length >= 4, file)
    for (const verb of starting)
      assert.match(text, new RegExp(`'${verb}': confined(Create|Start)[(]`), verb)
  }
})
