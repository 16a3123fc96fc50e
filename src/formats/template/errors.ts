/** What goes wrong: in a function, in a template, or against a limit. */
import { toText } from './bytes.ts'

/** Where in which file, lines from 1 and columns in bytes from 0, as Go counts. */
export type TemplatePosition = {
  readonly file: string
  readonly line: number
  readonly column: number
}

/** A call of `include` or `tpl` on the way to an error: where it stands, and as it was written. */
export type Caller = { readonly place: TemplatePosition; readonly call: string }

/** What the caller of this library catches; `goText` is what Go prints, to the byte. */
export class TemplateError extends Error {
  readonly file: string
  readonly line: number
  readonly column: number
  readonly goText: string
  /** The limit that was reached, where one was. */
  readonly limit: LimitName | undefined
  /** The calls that led there, innermost first. */
  readonly callers: readonly Caller[]

  constructor(
    place: TemplatePosition,
    message: string,
    goText: string,
    limit?: LimitName,
    callers: readonly Caller[] = [],
  ) {
    super(message)
    this.name = 'TemplateError'
    this.file = place.file
    this.line = place.line
    this.column = place.column
    this.goText = goText
    this.limit = limit
    this.callers = callers
  }
}

/** An error that a Go function returns or panics with; its text is a byte string. */
export class GoError extends Error {
  readonly text: string
  /** The innermost place that is known, with what was said there. */
  readonly origin: { readonly place: TemplatePosition; readonly text: string } | undefined

  /** Who called the template that failed, innermost first. */
  readonly callers: readonly Caller[]

  constructor(text: string, origin?: GoError['origin'], callers: readonly Caller[] = []) {
    super(toText(text))
    this.name = 'GoError'
    this.text = text
    this.origin = origin
    this.callers = callers
  }
}

type LimitName = 'outputBytes' | 'steps' | 'depth'

/** A limit was reached: no function and no template may catch this. */
export class LimitError extends Error {
  readonly limit: LimitName
  place: TemplatePosition | undefined

  constructor(limit: LimitName, allowed: number) {
    super(limitText(limit, allowed))
    this.name = 'LimitError'
    this.limit = limit
    this.place = undefined
  }
}

function limitText(limit: LimitName, allowed: number): string {
  if (limit === 'outputBytes')
    return `the output grew past the limit of ${allowed} bytes (limits.outputBytes)`
  if (limit === 'steps') return `the template took more than ${allowed} steps (limits.steps)`
  return `templates are nested deeper than the limit of ${allowed} (limits.depth)`
}
