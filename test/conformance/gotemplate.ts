/** Runs Go template cases: files and values in, exactly Go's output or Go's error out. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { z } from 'zod'
import { parseTemplates, TemplateError } from '#formats/template/render.ts'

const Case = z.object({
  name: z.string(),
  files: z.record(z.string(), z.string()),
  main: z.string(),
  values: z.record(z.string(), z.unknown()).nullable(),
  missingkey: z.enum(['error', 'zero', 'default']),
  expect: z.string().optional(),
  error: z.string().optional(),
})
export type Case = z.infer<typeof Case>

const root = join(import.meta.dirname, '../..')
const own = join(import.meta.dirname, 'cases/gotemplate.json')

/** Prints each difference, then `N of M`; whether all passed. */
export function run(files: readonly string[]): boolean {
  const cases = (files.length > 0 ? files : defaultFiles()).flatMap(readCases)
  const differences = cases.flatMap((each) => difference(each) ?? [])
  for (const line of differences) console.log(line)
  console.log(`${cases.length - differences.length} of ${cases.length}`)
  return differences.length === 0
}

function defaultFiles(): string[] {
  const shared = join(
    process.env['TEND_SHARED'] ?? join(root, '../shared'),
    'conformance/gotemplate/cases.json',
  )
  if (existsSync(shared)) return [own, shared]
  console.log(`without ${shared}, which is not there`)
  return [own]
}

export function readCases(file: string): Case[] {
  return z.array(Case).parse(JSON.parse(readFileSync(file, 'utf8')))
}

/** What differs from Go, in a line or two; undefined when nothing does. */
export function difference(given: Case): string | undefined {
  const found = outcome(given)
  const expected = given.error === undefined ? { expect: given.expect } : { error: given.error }
  if (JSON.stringify(found) === JSON.stringify(expected)) return undefined
  return `${given.name}\n  Go:   ${JSON.stringify(expected)}\n  here: ${JSON.stringify(found)}`
}

function outcome({
  files,
  main,
  values,
  missingkey,
}: Case): { expect: string } | { error: string } {
  const data = {
    Values: values,
    Chart: { Name: 'demo', Version: '1.2.3' },
    Release: { Name: 'demo' },
  }
  try {
    const set = parseTemplates(
      Object.entries(files).map(([path, text]) => ({ path, text })),
      {
        missingKey: missingkey,
        now: Date.UTC(2026, 0, 2, 3, 4, 5),
        seed: new Uint8Array([1, 2, 3]),
        limits: { outputBytes: 1 << 24, steps: 10_000_000, depth: 1000 },
      },
    )
    return { expect: set.render(main, data) }
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    return { error: error.goText }
  }
}
