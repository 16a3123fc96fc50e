/** What holds for every chart, good or bad. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { directoryTree } from '#sources/directory.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { codes } from '#model/problem.ts'
import type { ChartRendered } from '../chart-input.ts'
import { renderChart } from './render.ts'
import { input } from '../../../../test/fake/chart.ts'

const folder = directoryTree('test/charts/everything')
const files = Object.fromEntries(
  folder.list('').map((path) => [path, Buffer.from(folder.read(path) ?? []).toString('utf8')]),
)

function textOf({ vault, ...rest }: ChartRendered): string {
  const secrets = [...vault.contents()].map(([id, value]) => [
    id,
    Buffer.from(value).toString('hex'),
  ])
  return JSON.stringify([rest, secrets])
}

test('the same input gives the same bytes', () => {
  const first = textOf(renderChart(input(files)))
  assert.equal(textOf(renderChart(input(files))), first)
  const turned = Object.fromEntries(Object.entries(files).toReversed())
  assert.equal(textOf(renderChart(input(turned))), first)
})

type Mutation = {
  readonly path: string
  readonly at: number
  readonly cut: number
  readonly put: string
}

const mutation: fc.Arbitrary<Mutation> = fc.record({
  path: fc.constantFrom(...Object.keys(files)),
  at: fc.double({ min: 0, max: 1, noNaN: true }),
  cut: fc.constantFrom(0, 0, 1, 2, 10, 60),
  put: fc.oneof(
    fc.constantFrom(
      '',
      ' ',
      '\n',
      '- ',
      ': ',
      '{',
      '}',
      '[',
      ']',
      '{{',
      '}}',
      '"',
      '*a',
      '&a ',
      '!x ',
      '0',
      'null',
      '---\n',
      '\t',
      'ü',
      '\0',
    ),
    fc.constantFrom(
      '{{ fail "no" }}',
      '{{ .Values.none }}',
      '{{ range until 3 }}x{{ end }}',
      '<<: *a\n',
      '__proto__: {}\n',
    ),
    fc.string({ maxLength: 3 }),
  ),
})

function mutated(mutations: readonly Mutation[]): Readonly<Record<string, string>> {
  const result = { ...files }
  for (const { path, at, cut, put } of mutations) {
    const text = result[path] ?? ''
    const start = Math.floor(at * text.length)
    result[path] = text.slice(0, start) + put + text.slice(start + cut)
  }
  return result
}

test('a chart that was damaged anyhow gives problems with places, and nothing is thrown', () => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 4 }), (mutations) => {
      const damaged = mutated(mutations)
      const rendered = renderChart(input(damaged))
      for (const problem of rendered.problems) {
        assert.ok(Object.hasOwn(codes, problem.code))
        assert.ok(problem.message.length > 0)
        if (problem.at === undefined) continue
        const { file, line, column } = problem.at
        const written = (damaged[file] ?? '').split('\n')[line - 1]
        assert.ok(written !== undefined, `${file}:${line} is a line`)
        assert.ok(column >= 1 && column <= written.length + 1, `${file}:${line}:${column} is in it`)
      }
      const refs = rendered.resources.map((resource) => resource.ref)
      assert.equal(new Set(refs).size, refs.length)
      assert.equal(textOf(renderChart(input(damaged))), textOf(rendered))
    }),
    { numRuns: Number(process.env['RUNS'] ?? 100) },
  )
})

test('every problem of a resource is among the problems, and says which resource', () => {
  fc.assert(
    fc.property(fc.array(mutation, { minLength: 1, maxLength: 2 }), (mutations) => {
      const { resources, problems } = renderChart(input(mutated(mutations)))
      for (const resource of resources) {
        for (const problem of resource.problems) {
          assert.equal(problem.ref, resource.ref)
          assert.ok(problems.includes(problem))
        }
      }
    }),
    { numRuns: 50 },
  )
})

test('what is wrong with a chart is part of its hash, whatever resources are left of it', () => {
  const whole = snapshotHash(renderChart(input(files)))
  const unknown = fc.record({
    path: fc.constantFrom(...Object.keys(files).filter((path) => path.startsWith('templates/'))),
    field: fc.constantFrom('surplus: 1\n', '  surplus: 1\n', '---\nkind: Nothing\n', '---\n[\n'),
  })
  fc.assert(
    fc.property(unknown, ({ path, field }) => {
      const rendered = renderChart(input({ ...files, [path]: `${files[path]}\n${field}` }))
      assert.equal(snapshotHash(rendered) === whole, rendered.problems.length === 0)
    }),
    { numRuns: 50 },
  )
})
