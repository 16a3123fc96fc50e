/** The one error of this library: every problem that was found, each with its place and, where we can guess, a way out. */
import { positionAt, type SourceLocation } from './yaml/source.ts'

export type ComposeProblem = {
  readonly file: string
  /** 0 when the problem has no line, as with a file that does not exist */
  readonly line: number
  readonly column: number
  readonly message: string
  readonly suggestion?: string
  /** A secret was put into the value that this is about. */
  readonly isSecret?: true
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
  place: SourceLocation | undefined,
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
    ...(place?.isSecret === true ? { isSecret: true } : {}),
  }
}

export const mask = '******'

/** From the first quote to the last, or to the end: what a value has inside may hold quotes itself. */
export function withoutQuotes(message: string): string {
  const first = message.indexOf('"')
  if (first === -1) return message
  const last = message.lastIndexOf('"')
  return `${message.slice(0, first)}"${mask}"${last === first ? '' : message.slice(last + 1)}`
}

/** The error with the same problems in words that hold no secret. */
export function inOtherWords(error: ComposeError, change: (text: string) => string): ComposeError {
  return new ComposeError(
    error.problems.map(({ isSecret, ...problem }) => {
      const message = change(problem.message)
      return { ...problem, message: isSecret === true ? withoutQuotes(message) : message }
    }),
  )
}

export function failure(
  place: SourceLocation | undefined,
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
