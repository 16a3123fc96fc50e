/** Holds the status rules against recorded answers, sentence by sentence. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path/posix'
import { inspect, isDeepStrictEqual } from 'node:util'
import { parse } from 'yaml'
import { statusOf } from '#formats/kstatus/status.ts'

type Case = {
  readonly name: string
  /** YAML text of the live object. */
  readonly object: string
  readonly now?: string
  readonly variant?: 'flux-job'
  readonly status?: string
  readonly message?: string
  readonly conditions?: readonly Readonly<Record<string, string>>[]
  readonly error?: string
}

/** Prints each difference and, last, `N of M`; true when all cases pass. */
export function run(files: readonly string[]): boolean {
  const cases = (files.length > 0 ? files : defaultFiles()).flatMap(casesIn)
  let passed = 0
  for (const one of cases) {
    const problem = difference(one)
    if (problem === undefined) passed++
    else console.log(`${one.name}: ${problem}`)
  }
  console.log(`${passed} of ${cases.length}`)
  return passed === cases.length
}

/** The project's own cases, and the larger set beside the checkout where it is. */
export function defaultFiles(): string[] {
  const shared = process.env['TEND_SHARED'] ?? join(import.meta.dirname, '../../../shared')
  return [
    join(import.meta.dirname, 'cases/kstatus.json'),
    join(shared, 'conformance/kstatus/cases.json'),
  ].filter((file) => existsSync(file))
}

export function casesIn(file: string): Case[] {
  return JSON.parse(readFileSync(file, 'utf8'))
}

/** Undefined: the case is met. Members that a case leaves out are not compared. */
export function difference(one: Case): string | undefined {
  const options = { now: one.now ?? '2099-01-01T00:00:00Z', variant: one.variant }
  let found: unknown
  try {
    const { status, message, conditions } = statusOf(parse(one.object), options)
    found = {
      status,
      ...(one.message === undefined ? {} : { message }),
      ...(one.conditions === undefined ? {} : { conditions }),
    }
  } catch (error) {
    found = { error: error instanceof Error ? error.message : error }
  }
  const expected = one.error === undefined ? expectedOf(one) : { error: one.error }
  if (isDeepStrictEqual(found, expected)) return undefined
  return `${inspect(found, { breakLength: Infinity })} instead of ${inspect(expected, { breakLength: Infinity })}`
}

function expectedOf(one: Case): unknown {
  const conditions = one.conditions?.map((condition) => ({
    type: condition['type'] ?? '',
    status: condition['status'] ?? '',
    reason: condition['reason'] ?? '',
    message: condition['message'] ?? '',
  }))
  return {
    status: one.status,
    ...(one.message === undefined ? {} : { message: one.message }),
    ...(conditions === undefined ? {} : { conditions }),
  }
}
