/** Runs cases of charts: files and values in, what Helm's own packages rendered out, file by file. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { readChartTree } from '#domains/charts/render/chart-tree.ts'
import { coalesced, plainOf, tableOf } from '#domains/charts/render/coalesce.ts'
import { processDependencies } from '#domains/charts/render/dependencies.ts'
import { templateData } from '#domains/charts/render/template-data.ts'
import { renderTemplates } from '#domains/charts/render/templates.ts'
import { readUserValues } from '#domains/charts/render/values.ts'
import { schemaProblems } from '#domains/charts/render/values-schema.ts'
import type { ChartInput } from '#domains/charts/chart-input.ts'
import { treeOf } from '../fake/chart.ts'

const Case = z.object({
  name: z.string(),
  files: z.record(z.string(), z.string()),
  /** Files of values, in order. */
  values: z.array(z.string()).optional(),
  set: z.array(z.string()).optional(),
  upgrade: z.boolean().optional(),
  /** By Helm's names. */
  expect: z.record(z.string(), z.string()).optional(),
  error: z.string().optional(),
  /** Why this differs from Helm on purpose; then `here` is what is expected. */
  because: z.string().optional(),
  here: z.string().optional(),
})
export type Case = z.infer<typeof Case>

const own = join(import.meta.dirname, 'cases/charts.json')

/** Prints each difference, then `N of M`; whether all passed. */
export function run(files: readonly string[]): boolean {
  const cases = (files.length > 0 ? files : [own]).filter(existsSync).flatMap(readCases)
  const differences = cases.flatMap((each) => difference(each) ?? [])
  for (const line of differences) console.log(line)
  console.log(`${cases.length - differences.length} of ${cases.length}`)
  return differences.length === 0
}

export function readCases(file: string): Case[] {
  return z.array(Case).parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** What differs from Helm; undefined when nothing does. Errors are compared by being one: ours have places. */
export function difference(given: Case): string | undefined {
  const found = outcome(given)
  if (given.because !== undefined) {
    const text = 'error' in found ? found.error : JSON.stringify(found.expect)
    return text.includes(given.here ?? '') ? undefined : shown(given, found)
  }
  if (given.error !== undefined) return 'error' in found ? undefined : shown(given, found)
  if ('error' in found) return shown(given, found)
  return sorted(found.expect) === sorted(given.expect ?? {}) ? undefined : shown(given, found)
}

function sorted(record: Readonly<Record<string, string>>): string {
  return JSON.stringify(Object.entries(record).toSorted(([one], [other]) => (one < other ? -1 : 1)))
}

type Found = { readonly expect: Readonly<Record<string, string>> } | { readonly error: string }

function shown({ name, error, expect = {} }: Case, found: Found): string {
  const here = 'error' in found ? `error ${found.error}` : sorted(found.expect)
  return `${name}\n  Helm: ${error === undefined ? sorted(expect) : `error ${error}`}\n  here: ${here}`
}

function outcome({ files, values = [], set = [], upgrade = false }: Case): Found {
  const tree = treeOf(files)
  const input: ChartInput = {
    tree,
    namespace: null,
    layers: [
      ...values.map((text, index) => ({ kind: 'file', name: `${index}.yaml`, text }) as const),
      ...set.map((text) => ({ kind: 'set', text }) as const),
    ],
    since: 0,
    seed: new Uint8Array(32),
    environment: {},
    release: { isInstall: !upgrade, revision: upgrade ? 7 : 1 },
  }
  const { root, problems: ofChart } = readChartTree(tree)
  const user = readUserValues(input.layers)
  const problems = [...ofChart, ...user.problems]
  if (root === undefined) return failed(problems)
  const warn = () => undefined
  processDependencies(root, tableOf(user.values), { warn, problem: (each) => problems.push(each) })
  const merged = plainOf(coalesced(root, tableOf(user.values), { keepsNulls: false, warn }))
  problems.push(...schemaProblems(tree, root, merged, user.sources))
  if (problems.length > 0) return failed(problems)
  const rendered = renderTemplates(input, templateData(input, root, merged, warn))
  const real = rendered.problems.filter(({ message }) => !message.endsWith(' is not set'))
  if (real.length > 0) return failed(real)
  const made = rendered.files.map(({ name, text }) => [name, text.replaceAll('<no value>', '')])
  if (rendered.notes !== '') made.push([`${root.name}/templates/NOTES.txt`, rendered.notes])
  return { expect: Object.fromEntries(made) }
}

function failed(problems: readonly { readonly message: string }[]): Found {
  return { error: problems.map(({ message }) => message).join('; ') }
}
