import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { metricsOf } from './metrics.ts'

/** As they stand in the code: `count('tend_runs_total'`, `name: 'tend_apps'`. */
function namesIn(pattern: RegExp): readonly string[] {
  const files = globSync('src/{controller,server,cli}/**/*.ts')
  const found = files.flatMap((file) => [...readFileSync(file, 'utf8').matchAll(pattern)])
  return [...new Set(found.map((one) => one[1]!))]
}

test('every metric says in words what it counts', () => {
  const counts = namesIn(/\.count\(\s*'(tend_\w+)'/g)
  const times = namesIn(/\.observe\(\s*'(tend_\w+)'/g)
  const gauges = namesIn(/name: '(tend_\w+)'/g)
  assert.ok(counts.length >= 6 && times.length >= 2 && gauges.length >= 3)
  const metrics = metricsOf(() => gauges.map((name) => ({ name, labels: {}, value: 1 })))
  for (const name of counts) metrics.count(name, {})
  for (const name of times) metrics.observe(name, {}, 1)
  const lines = metrics.text().split('\n')
  const types = lines.flatMap((line, index) => (line.startsWith('# TYPE ') ? [index] : []))
  assert.equal(types.length, counts.length + times.length + gauges.length)
  for (const index of types) {
    const name = lines[index]!.split(' ')[2]!
    assert.match(lines[index - 1] ?? '', new RegExp(`^# HELP ${name} [A-Z].+\\.$`))
  }
})
