/** Every field of Compose and of charts has a rule or is known to reach nothing, each rule is held, and docs/security.md has the table. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { jsonSchema } from '#domains/charts/json-schema.ts'
import { chartsReach } from '#domains/charts/reach.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { manifestKinds } from '#domains/charts/render/schema/kinds.ts'
import { kinds } from '#domains/charts/spec.ts'
import { input } from './fake/chart.ts'
import { stacksReach } from '#domains/stacks/reach.ts'
import type { Rule as Shape } from '#formats/compose/schema/check.ts'
import { composeFile } from '#formats/compose/schema/file.ts'
import { allowAll, type Policy, type Rule } from '#model/policy.ts'
import { reachRows, type ReachTable } from '#model/reach.ts'
import { chartExamples, stackExamples, type Examples } from './host-reach-examples.ts'
import { loadOf, renderText } from './fake/stack-text.ts'

/** Paths of all keys below a shape; `*` stands for names that the user chooses. */
function pathsBelow(shape: Shape): readonly string[] {
  const { keys = {}, others } = shape.map ?? {}
  const below = (key: string, lower: Shape | undefined): readonly string[] =>
    lower === undefined ? [] : pathsBelow(lower).map((path) => `${key}.${path}`)
  return [
    ...Object.entries(keys).flatMap(([key, lower]) => [key, ...below(key, lower)]),
    ...below('*', others?.rule),
    ...(shape.list === undefined ? [] : pathsBelow(shape.list.items)),
  ]
}

type Schema = {
  readonly properties?: Readonly<Record<string, Schema>>
  readonly items?: Schema
  readonly anyOf?: readonly Schema[]
  readonly additionalProperties?: Schema | boolean
}

function fieldsBelow(schema: Schema, above: string): readonly string[] {
  const { properties = {}, items, anyOf = [], additionalProperties: others } = schema
  return [
    ...Object.entries(properties).flatMap(([key, lower]) => [
      `${above}.${key}`,
      ...fieldsBelow(lower, `${above}.${key}`),
    ]),
    ...(items === undefined ? [] : fieldsBelow(items, above)),
    ...anyOf.flatMap((form) => fieldsBelow(form, above)),
    ...(typeof others === 'object' ? fieldsBelow(others, `${above}.*`) : []),
  ]
}

function chartFields(): readonly string[] {
  return kinds.flatMap((kind) => {
    const whole: Schema = JSON.parse(JSON.stringify(jsonSchema(manifestKinds[kind])))
    return fieldsBelow(whole.properties?.['spec'] ?? {}, kind)
  })
}

test('every field of a Compose file is in the table, and no other', () => {
  const fields = [...new Set(pathsBelow(composeFile.rule))].toSorted()
  assert.ok(fields.length > 300)
  assert.deepEqual(Object.keys(stacksReach).toSorted(), fields)
})

test('every field of a chart is in the table, and no other', () => {
  const fields = [...new Set(chartFields())].toSorted()
  assert.ok(fields.length > 100)
  assert.deepEqual(Object.keys(chartsReach).toSorted(), fields)
})

/** Codes of what is denied when this rule alone denies. */
function denied(policy: Policy, render: (policy: Policy) => readonly { code: string }[]): boolean {
  return render(policy).some(({ code }) => code === 'denied')
}

function held(
  table: ReachTable,
  examples: Examples,
  render: (example: string) => (policy: Policy) => readonly { code: string }[],
): void {
  for (const [field, reach] of Object.entries(table)) {
    const { rules = [], onEngine = [] } = reach.kind === 'rule' ? reach : {}
    const wanted: readonly Rule[] = rules.filter((rule) => !onEngine.includes(rule))
    const given = examples[field] ?? {}
    assert.deepEqual(Object.keys(given).toSorted(), wanted.toSorted(), `examples of ${field}`)
    for (const rule of wanted) {
      const rendered = render(given[rule] ?? '')
      assert.ok(denied({ ...allowAll, [rule]: 'deny' }, rendered), `${field} by ${rule}`)
      assert.ok(!denied(allowAll, rendered), `${field} when all is allowed`)
    }
  }
}

test('each rule of a Compose field denies what it is for', () => {
  held(stacksReach, stackExamples, (text) => (policy) => {
    const load = { ...loadOf({}), confinedTo: '/srv/shop' }
    // the comment at the end of an example is the Dockerfile that it names
    const [, said = 'RUN true'] = /\n# (.*)\n$/.exec(text) ?? []
    const files = { Dockerfile: `FROM x\n${said}\n` }
    return renderText(text, { policy, load, place: (path) => path }, files).problems
  })
})

test('what is always refused is refused when all is allowed', () => {
  const always = Object.entries(stacksReach).filter(([, { kind }]) => kind === 'refused')
  assert.ok(always.length > 15)
  for (const [field] of always) {
    const { problems } = renderText(refusedExample(field), {}, { x: '' })
    const told = problems.map(({ code, message }) => `${code}: ${message}`)
    assert.ok(
      told.some((text) => text.startsWith('unsupported')),
      `${field}: ${told.join()}`,
    )
  }
})

function refusedExample(field: string): string {
  const values: Readonly<Record<string, string>> = {
    'build.additional_contexts': '{ a: ./b }',
    'build.privileged': 'true',
    'build.provenance': 'true',
    'build.sbom': 'true',
    'build.ulimits': '{ nofile: 10 }',
    'build.isolation': 'hyperv',
    credential_spec: '{ config: x }',
    isolation: 'hyperv',
    pre_start: '[{ command: migrate }]',
    models: '[m]',
    provider: '{ type: x }',
    use_api_socket: 'true',
  }
  const [section = '', , ...path] = field.split('.')
  const value = values[path.join('.')] ?? '[default]'
  const [first = '', second] = path
  if (section !== 'services') {
    const own = first === 'external' ? 'true' : 'x'
    const content = first === 'external' ? '' : 'file: ./x, '
    return `services: { web: { image: x, ${section}: [one] } }
${section}: { one: { ${content}${first}: ${own} } }`
  }
  const said =
    second === undefined ? `${first}: ${value}` : `build: { context: ., ${second}: ${value} }`
  return `services: { web: { image: x, ${said} } }\nmodels: { m: { model: x } }\nsecrets: { default: { environment: X } }`
}

test('each rule of a chart field denies what it is for', () => {
  held(chartsReach, chartExamples, (text) => (policy) => {
    const files = {
      'values.yaml': '',
      'templates/all.yaml': text,
    }
    return renderChart({ ...input(files), policy }).problems
  })
})

test('docs/security.md has both tables', () => {
  const docs = readFileSync('docs/security.md', 'utf8')
  for (const [title, table] of [
    ['Compose', stacksReach],
    ['Charts', chartsReach],
  ] as const) {
    const [, part = ''] = docs.split(`### ${title}\n`)
    const [own = ''] = part.split(/\n##/)
    const rows = own.split('\n').filter((line) => line.startsWith('| `'))
    assert.deepEqual(rows, reachRows(table), title)
  }
})
