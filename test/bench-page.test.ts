/** The page of benchmarks: a part that is run again replaces its own rows, and leaves the others. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { withSection, type Section } from '../bench/page.ts'
import type { Row } from '../bench/row.ts'

const empty = 'Before.\n<!-- kube -->\nNot measured yet.\n<!-- end of kube -->\nAfter.\n'
const here = { machine: 'Machine: this one.', run: 'today' }

function row(name: string, measured: number): Row {
  return { name, measured, goal: { is: 'at least', than: 2 }, behind: 'a | b' }
}

function section(rows: readonly Row[], more: Partial<Section> = {}): Section {
  return { name: 'kube', isPart: true, rows: [...rows], curves: [], ...more }
}

test('rows stand between the marks of their benchmark, what is around them stays', () => {
  const text = withSection(empty, section([row('build', 3), row('apply', 1)]), here)
  assert.equal(
    text,
    `Before.
<!-- kube -->
Machine: this one.

| what | ratio | goal | holds | figures | measured |
|---|---|---|---|---|---|
| build | 3.00 | at least 2 | yes | a \\| b | today |
| apply | 1.00 | at least 2 | **no** | a \\| b | today |
<!-- end of kube -->
After.
`,
  )
})

test('a part that is run again replaces its own rows and plots alone', () => {
  const curve = { title: 'Growth', across: 'objects', up: 'ms', points: [[1, 1]] } as const
  const first = withSection(
    empty,
    section([row('build', 3), row('apply', 1)], { curves: [curve] }),
    here,
  )
  const again = withSection(first, section([row('build', 4), row('large', 5)]), {
    ...here,
    run: 'tomorrow',
  })
  assert.deepEqual(
    again.split('\n').filter((line) => /^\| [a-z]+ \| \d|^!/.test(line)),
    [
      '| build | 4.00 | at least 2 | yes | a \\| b | tomorrow |',
      '| apply | 1.00 | at least 2 | **no** | a \\| b | today |',
      '| large | 5.00 | at least 2 | yes | a \\| b | tomorrow |',
      '![Growth](benchmarks/kube-growth.svg)',
    ],
  )
})

test('a whole benchmark, or one on another machine, replaces everything', () => {
  const first = withSection(empty, section([row('build', 3)]), here)
  const whole = withSection(first, section([row('apply', 1)], { isPart: false }), here)
  const elsewhere = withSection(first, section([row('apply', 1)]), {
    ...here,
    machine: 'Machine: another.',
  })
  assert.doesNotMatch(whole, /build/)
  assert.doesNotMatch(elsewhere, /build/)
})

test('the page has a place for each benchmark', () => {
  const page = readFileSync('docs/benchmarks.md', 'utf8')
  const [, known = ''] =
    /const benches[^{]*\{([^}]*)\}/.exec(readFileSync('bench/run.ts', 'utf8')) ?? []
  const names = [...known.matchAll(/^ {2}(\w+):/gm)].map(([, name = '']) => name)
  assert.ok(names.length > 5)
  for (const name of names) assert.ok(page.includes(`<!-- end of ${name} -->`), name)
})

test('an option that there is not measures nothing', () => {
  const { status, stderr } = spawnSync(process.execPath, ['bench/run.ts', '--help'], {
    encoding: 'utf8',
  })
  assert.equal(status, 2)
  assert.match(stderr, /no benchmark --help; there are: charts, /)
})
