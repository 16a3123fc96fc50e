/** The door of this library: parses a set of template files once, renders any of them. */
import { budget, type Budget, type Limits } from './budget.ts'
import { toBytes, toText } from './bytes.ts'
import { fromData } from './data.ts'
import { GoError, LimitError, TemplateError } from './errors.ts'
import type { MissingKey } from './evaluate.ts'
import { execute, output, type Surroundings, type Trace } from './execute.ts'
import { functions } from './functions/library.ts'
import type { Context } from './library.ts'
import { parse } from './parser.ts'
import { quote } from './quote.ts'
import { randomStream, type Random } from './random.ts'
import { scope, type Scope } from './scope.ts'
import { dict, type Value } from './values.ts'

export { budget } from './budget.ts'
export { GoValue } from './data.ts'
export { TemplateError, type Caller } from './errors.ts'
export { filesOf, type FileSource } from './files.ts'
export type { Piece, Trace } from './execute.ts'

type TemplateFile = { readonly path: string; readonly text: string }

export type TemplateOptions = {
  readonly missingKey: MissingKey
  /** Milliseconds since the epoch: the clock that templates see. */
  readonly now: number
  /** Random, key and certificate functions draw on a stream of this seed and the rendered path. */
  readonly seed: Uint8Array
  readonly limits: Limits
  /** Shared by all that is rendered with it; without one each file has the limits for itself. */
  readonly budget?: Budget
  /** What a file is called in the seed of its random stream; unless said, its path. */
  readonly streamOf?: (path: string) => string
  readonly lookup?: (apiVersion: string, kind: string, namespace: string, name: string) => unknown
}

export type TemplateSet = {
  /** Throws TemplateError. `trace` hears of every stretch of the output, in order, where it comes from. */
  render(path: string, data: unknown, trace?: Trace): string
  /** Whether a render so far drew on the clock or on the random stream. */
  readonly drew: { readonly clock: boolean; readonly random: boolean }
}

const rootName = 'gotpl'
const deepestInclude = 1000

/** Parses all files into one set, in Helm's order: deeper ones first, then by descending path. */
export function parseTemplates(
  files: readonly TemplateFile[],
  options: TemplateOptions,
): TemplateSet {
  const templates = scope()
  const sources = files.map(({ path, text }) => ({ name: toBytes(path), text: toBytes(text) }))
  for (const source of sources.sort(helmOrder))
    templates.add(guarded(source.name, () => parse(source, hasFunction)))
  const drew = { clock: false, random: false }
  return {
    render: (path, data, trace) => render(toBytes(path), data, templates, options, drew, trace),
    drew,
  }
}

function helmOrder(left: { name: string }, right: { name: string }): number {
  const depth = right.name.split('/').length - left.name.split('/').length
  if (depth !== 0) return depth
  return left.name < right.name ? 1 : left.name > right.name ? -1 : 0
}

function hasFunction(name: string): boolean {
  return functions.has(name)
}

function render(
  path: string,
  data: unknown,
  templates: Scope,
  options: TemplateOptions,
  drew: { clock: boolean; random: boolean },
  trace: Trace | undefined,
): string {
  return guarded(path, () => {
    const template = templates.find(path)
    if (template === undefined) {
      throw new GoError(
        `template: no template ${quote(path)} associated with template "${rootName}"`,
      )
    }
    const around = surroundings(path, templates, options, drew)
    const out = output(around.context, trace)
    execute(template, fromData(data) ?? undefined, out, around, 0)
    return toText(out.text())
  })
}

/** What the templates of one render share: budget, clock, random stream, and how they call each other. */
function surroundings(
  path: string,
  templates: Scope,
  options: TemplateOptions,
  drew: { clock: boolean; random: boolean },
): Surroundings {
  const spending = options.budget ?? budget(options.limits)
  const including = new Map<string, number>()
  let stream: Random | undefined
  let depth = 0

  function within(inner: Scope): Surroundings {
    const context: Context = {
      budget: spending,
      now() {
        drew.clock = true
        return options.now
      },
      random() {
        drew.random = true
        stream ??= randomStream(
          options.seed,
          toBytes(options.streamOf?.(toText(path)) ?? toText(path)),
        )
        return stream
      },
      lookup(...query) {
        const [apiVersion, kind, namespace, name] = query.map(toText)
        const found = options.lookup?.(apiVersion ?? '', kind ?? '', namespace ?? '', name ?? '')
        return fromData(found) ?? dict(new Map())
      },
      include: (name, data) => include(name, data, around),
      tpl: (text, data) => tpl(text, data, inner),
    }
    const around = { scope: inner, library: functions, missingKey: options.missingKey, context }
    return around
  }
  function include(name: string, data: Value, around: Surroundings): string {
    const count = including.get(name) ?? 0
    if (count > deepestInclude) {
      throw new GoError(
        `rendering template has a nested reference name: ${name}: unable to execute template`,
      )
    }
    const template = around.scope.find(name)
    if (template === undefined) {
      throw new GoError(
        `template: no template ${quote(name)} associated with template "${rootName}"`,
      )
    }
    including.set(name, count + 1)
    const text = nested(() => {
      const out = output(around.context)
      execute(template, data ?? undefined, out, around, depth)
      return out.text()
    })
    including.set(name, count)
    return text
  }
  function tpl(text: string, data: Value, outer: Scope): string {
    const source = { name: rootName, text }
    spending.text(text)
    const inner = scope(outer)
    const template = parsed(() => {
      const found = parse(source, hasFunction)
      inner.add(found)
      return found.get(rootName)
    }, text)
    if (template === undefined) return ''
    try {
      return nested(() => {
        const around = within(inner)
        const out = output(around.context)
        execute(template, data ?? undefined, out, around, depth)
        return out.text().replaceAll('<no value>', '')
      })
    } catch (error) {
      if (error instanceof LimitError && error.place?.file === rootName) error.place = undefined
      if (!(error instanceof GoError)) throw error
      throw new GoError(
        `error during tpl function execution for ${quote(text)}: ${error.text}`,
        outside(error),
        error.callers,
      )
    }
  }
  function nested(run: () => string): string {
    depth++
    try {
      return run()
    } finally {
      depth--
    }
  }
  return within(templates)
}

/** A tpl text is no file: the place in the file that called tpl says more. */
function outside(error: GoError): GoError['origin'] {
  return error.origin?.place.file === rootName ? undefined : error.origin
}

function parsed<T>(read: () => T, text: string): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof TemplateError)) throw error
    throw new GoError(`cannot parse template ${quote(text)}: ${toBytes(error.goText)}`)
  }
}

/** Turns what was thrown inside into the one error that callers see. */
function guarded<T>(path: string, run: () => T): T {
  try {
    return run()
  } catch (error) {
    if (error instanceof TemplateError) throw error
    const start = { file: toText(path), line: 1, column: 0 }
    if (error instanceof GoError) {
      const place = error.origin?.place ?? start
      const said = toText(error.origin?.text ?? error.text)
      throw new TemplateError(
        place,
        `${place.file}:${place.line}:${place.column}: ${said}`,
        toText(error.text),
        undefined,
        error.callers,
      )
    }
    if (!(error instanceof LimitError) && !(error instanceof RangeError)) throw error
    const place = (error instanceof LimitError ? error.place : undefined) ?? start
    const at = `${place.file}:${place.line}:${place.column}`
    const said = error instanceof LimitError ? error.message : exhausted(error)
    const limit = error instanceof LimitError ? error.limit : undefined
    throw new TemplateError(place, `${at}: ${said}`, `template: ${at}: ${said}`, limit)
  }
}

/** Where the engine of JavaScript gives up before our own limits do. */
function exhausted({ message }: RangeError): string {
  if (/call stack/.test(message)) return 'templates are nested too deep (limits.depth)'
  return `a text or a list grew too long: ${message} (limits.outputBytes)`
}
