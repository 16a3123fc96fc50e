/** A program that failed: the facts as fields, and a sentence with the last line that it wrote. */

export type CommandFacts = {
  readonly program: string
  /** Undefined when it never started or was killed. */
  readonly exitCode: number | undefined
  readonly killedBy: string | undefined
  readonly hasTimedOut: boolean
  /** The time limit of the run, ms. */
  readonly limit?: number | undefined
  /** What it wrote to its standard error, cut at its beginning when it is long. */
  readonly errorOutput: string
  /** Node's code when it could not be started at all: ENOENT, EACCES. */
  readonly startFailure: string | undefined
}

/** Arguments are left out on purpose: they may hold what nobody should read. */
export class CommandError extends Error {
  readonly code = 'COMMAND'
  readonly facts: CommandFacts
  constructor(facts: CommandFacts, cause?: unknown) {
    super(sentence(facts), { cause })
    this.name = 'CommandError'
    this.facts = facts
  }
}

function sentence(facts: CommandFacts): string {
  const { program, errorOutput } = facts
  const said = errorOutput.trim().split('\n').slice(-3).join('\n')
  const ending = said === '' ? '' : `: ${said}`
  if (facts.startFailure === 'ENOENT') return `${program} is not installed`
  if (facts.startFailure !== undefined) return `${program} did not start (${facts.startFailure})`
  if (facts.hasTimedOut) return `${program} took too long${ending}`
  if (facts.killedBy !== undefined) return `${program} was ended by ${facts.killedBy}${ending}`
  return `${program} ended with code ${facts.exitCode}${ending}`
}
