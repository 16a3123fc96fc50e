/** What went wrong in a template, told with the place in the file that a person wrote. */
import type { TemplateError } from '#formats/template/render.ts'
import { placeText, type Place, type ProblemFacts } from '#model/problem.ts'
import { hintFor, valueMeant } from './template-hints.ts'
import type { TemplateSource } from './template-sources.ts'

type Sources = readonly Pick<TemplateSource, 'name' | 'path' | 'text'>[]

/** As in Helm a value that is not there is nothing, which `default` and `required` can deal with; printing it is a mistake. */
export function noValue(at: Place, sources: Sources, values: unknown): ProblemFacts {
  const asked = actionAt(at, sources)
  return {
    type: 'configuration',
    code: 'template_error',
    message: `${asked ?? 'what this prints'} is not set`,
    at,
    suggestion:
      valueMeant(asked ?? '', values) ??
      'set it in values.yaml or with --set, or say what to print instead: … | default "x"',
  }
}

/** The action as it was written, without its braces. */
function actionAt({ file, line, column }: Place, sources: Sources): string | undefined {
  const source = sources.find(({ path }) => path === file)
  const text = source?.text.split('\n')[line - 1]?.slice(column - 1)
  return /^\{\{-?\s*(.*?)\s*-?\}\}/.exec(text ?? '')?.[1]
}

/** Of what can't be parsed Go tells the line only: what it did not expect stands behind the first braces. */
function columnOf(message: string, text: string): number {
  const token = /^unexpected "(.+)" in /.exec(message)?.[1]
  const opening = text.indexOf('{{')
  if (token === undefined || opening < 0) return Math.max(opening, 0) + 1
  const at = text.indexOf(token, opening + 2)
  return (at < 0 ? opening : at) + 1
}

function stepsUsedUp(at: Place, steps: number): ProblemFacts {
  return {
    type: 'configuration',
    code: 'template_error',
    message: `the templates of the chart take more than ${steps} steps together; they were used up here`,
    at,
    suggestion: 'make the loops in the templates smaller, or split the chart',
  }
}

/** The engine counts bytes from 0; people and editors count characters from 1. */
export function templateProblem(
  error: TemplateError,
  sources: Sources,
  steps: number,
  values?: unknown,
): ProblemFacts {
  const { line } = error
  const prefix = `${error.file}:${line}:`
  const said = error.message.startsWith(prefix)
    ? error.message.slice(prefix.length).replace(/^(?:\d+:)? /, '')
    : error.message
  const own = placeOf(error, sources)
  if (error.limit === 'steps') return stepsUsedUp({ ...own, column: error.column + 1 }, steps)
  const column = error.column > 0 ? own.column : columnOf(said, lineOf(error, sources))
  const calls = error.callers.map(
    ({ place, call }) => ` (called by ${shortened(call)} at ${placeText(placeOf(place, sources))})`,
  )
  return {
    type: 'configuration',
    code: 'template_error',
    message: `${said}${shownCalls(calls)}`,
    at: { ...own, column },
    suggestion: hintFor(said, values) ?? stopped(said) ?? lastHint,
  }
}

const lastHint = 'tend template shows what was rendered up to here'

const mostCalls = 4

function shownCalls(calls: readonly string[]): string {
  if (calls.length <= mostCalls) return calls.join('')
  const left = calls.length - mostCalls
  return `${calls.slice(0, mostCalls - 1).join('')} (and ${left} calls more)${calls.at(-1) ?? ''}`
}

function shortened(call: string): string {
  return call.length > 60 ? `${call.slice(0, 59)}…` : call
}

/** `required` and `fail` say what the author of the chart wants. */
function stopped(message: string): string | undefined {
  if (/error calling (?:required|fail): /.test(message))
    return 'the chart itself asks for this: set it in a file of values or with --set'
  return undefined
}

type EngineAddress = { readonly file: string; readonly line: number; readonly column: number }

function lineOf({ file, line }: EngineAddress, sources: Sources): string {
  return sources.find(({ name }) => name === file)?.text.split('\n')[line - 1] ?? ''
}

function placeOf(place: EngineAddress, sources: Sources): Place {
  const text = lineOf(place, sources)
  const column = Buffer.from(text).subarray(0, place.column).toString('utf8').length + 1
  const source = sources.find(({ name }) => name === place.file)
  return { file: source?.path ?? place.file, line: place.line, column }
}
