/** The one error of this library: every problem that was found, each with its place and, where we can guess, a way out. */
import { positionAt, type Place } from './source.ts'

export type ComposeProblem = {
  readonly file: string
  /** 0 when the problem has no line, as with a file that does not exist */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly suggestion?: string
}

export class ComposeError extends Error {
  readonly problems: readonly ComposeProblem[]

  constructor(problems: readonly ComposeProblem[]) {
    super(problems.map(lineOf).join('\n'))
    this.name = 'ComposeError'
    this.problems = problems
  }
}

export function problemAt(
  place: Place | undefined,
  message: string,
  suggestion?: string,
): ComposeProblem {
  const { file, line, column } = place ? positionAt(place) : { file: '', line: 0, column: 0 }
  return {
    file,
    line,
    column,
    message: shortened(message),
    ...(suggestion === undefined ? {} : { suggestion }),
  }
}

export function failure(
  place: Place | undefined,
  message: string,
  suggestion?: string,
): ComposeError {
  return new ComposeError([problemAt(place, message, suggestion)])
}

/** For what is wrong with a file as a whole. */
export function fileFailure(
  file: string,
  message: string,
  suggestion?: string,
  line = 0,
): ComposeError {
  return new ComposeError([
    {
      file,
      line,
      column: line === 0 ? 0 : 1,
      message: shortened(message),
      ...(suggestion === undefined ? {} : { suggestion }),
    },
  ])
}

/** What stops a load when a phase has looked at everything it could. */
export function throwIfAny(problems: readonly ComposeProblem[]): void {
  if (problems.length > 0) throw new ComposeError(problems)
}

/** A message may quote what a file holds, but not all of it. */
function shortened(message: string): string {
  return message.length > 500 ? `${message.slice(0, 500)}…` : message
}

function lineOf(problem: ComposeProblem): string {
  const where =
    problem.line > 0 ? `${problem.file}:${problem.line}:${problem.column}` : problem.file
  const text = problem.suggestion ? `${problem.message}; ${problem.suggestion}` : problem.message
  return where === '' ? text : `${where}: ${text}`
}
