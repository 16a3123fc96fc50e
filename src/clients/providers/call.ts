/** Calls the program of a provider, and turns its failure into a problem. */
import { mkdirSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError } from '#clients/command/command-error.ts'
import { run } from '#clients/command/run.ts'
import { Problem } from '#model/problem.ts'
import { causeIn, plainLines } from './error-output.ts'
import type { ProgramSettings } from './provider.ts'

/** The longest call, ms: images may have to be pulled. */
const longest = 15 * 60_000
const shortest = 60_000

export type Called = {
  readonly settings: Pick<ProgramSettings, 'program' | 'environment' | 'key'>
  readonly words: readonly string[]
  readonly signal: AbortSignal
  readonly isLong?: true
  readonly more?: Readonly<Record<string, string>>
}

/** Gives what the program wrote to its standard output. */
export async function call(called: Called): Promise<string> {
  const { settings, words, signal, isLong, more } = called
  try {
    const { output } = await run({
      program: settings.program,
      arguments: words,
      environment: { ...settings.environment, ...more },
      signal,
      limit: isLong === true ? longest : shortest,
    })
    return output.toString()
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw problemOfCall(error, settings, words)
  }
}

function problemOfCall(
  error: CommandError,
  { program: path, key }: Called['settings'],
  words: readonly string[],
): Problem {
  const { startFailure, program, errorOutput } = error.facts
  if (startFailure !== undefined) {
    return new Problem({
      type: 'runtime',
      code: 'not_possible_here',
      message: error.message,
      suggestion: `install ${program}, or name it in fleet.yaml: ${key}`,
    })
  }
  const details = plainLines(errorOutput).slice(-20)
  const isTaken = /port is already allocated|address already in use/i.test(errorOutput)
  return new Problem({
    type: 'runtime',
    code: isTaken ? 'port_taken' : 'api_error',
    message: `${[path, ...verbOf(words)].join(' ')}: ${sentence(error)}`,
    details,
    recoverable: !isTaken,
  })
}

/** `cluster create`, without flags and what follows them. */
function verbOf(words: readonly string[]): readonly string[] {
  const flag = words.findIndex((word) => word.startsWith('-'))
  return words.slice(0, flag < 0 ? 3 : Math.min(flag, 3))
}

function sentence({ facts }: CommandError): string {
  if (facts.hasTimedOut) return 'it took too long'
  const cause = causeIn(facts.errorOutput)
  const ending = facts.killedBy === undefined ? `code ${facts.exitCode}` : facts.killedBy
  return cause === '' ? `it ended with ${ending}` : `${cause} (${ending})`
}

/** Writes a generated configuration, as a whole or not at all. */
export function writeConfig(folder: string, name: string, text: string): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const file = join(folder, name)
  writeFileSync(`${file}.new`, text, { mode: 0o600 })
  renameSync(`${file}.new`, file)
  return file
}
