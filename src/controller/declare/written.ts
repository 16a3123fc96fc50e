/** One tend.yaml as it is written: its data, and the place of everything in it. */
import type * as z from 'zod/mini'
import { examine, pathText } from '#formats/schema/examine.ts'
import { valueAt, type Hints } from '#formats/schema/faults.ts'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { readYaml, type YamlDocument } from '#formats/yaml/read-yaml.ts'
import type { Declarations } from '#model/declaration.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { Code, Place, ProblemFacts } from '#model/problem.ts'

export type DeclarationFile = { readonly path: string; readonly text: string }

export type Written<Data> = {
  readonly file: string
  /** What of it can be used. */
  readonly data: Data
  /** Everything in it, also what can't be used. */
  readonly raw: unknown
  readonly problems: readonly ProblemFacts[]
  /** Something in it is wrong already: what it lacks may be just that. */
  isFaulty(path: YamlPath): boolean
  at(path: YamlPath, on?: 'key' | 'value'): Place
  /** Plain data as written, also where it is empty; its numbers as texts where that is asked for. */
  valueOf(path: YamlPath): Json | undefined
  textOf(path: YamlPath): string | undefined
}

/** What came of all files and variables. */
export type DeclarationsResult =
  | { readonly declarations: Declarations; readonly problems: readonly [] }
  | { readonly declarations: undefined; readonly problems: readonly ProblemFacts[] }

export type Trouble = {
  readonly message: string
  readonly suggestion?: string | undefined
  readonly code?: Code
  readonly at?: Place | undefined
}

export function troubleOf({ message, suggestion, code, at }: Trouble): ProblemFacts {
  return { type: 'configuration', code: code ?? 'declaration_error', message, suggestion, at }
}

/** A file with a fault still tells what else is in it, so that all faults are told at once. */
export function readWritten<Data extends object>(
  schema: z.ZodMiniType<Data>,
  nothing: Data,
  { path: file, text }: DeclarationFile,
  hints: Hints,
): Written<Data> {
  const { documents, errors } = readYaml(text)
  const [document, second] = documents
  const start = { file, line: 1, column: 1 }
  if (errors.length > 0) {
    const problems = errors.map(({ message, line, column }) =>
      troubleOf({ code: 'yaml_error', message, at: { file, line, column } }),
    )
    return empty(file, nothing, problems)
  }
  if (document === undefined || document.value === null) return empty(file, nothing, [])
  if (second !== undefined) {
    const { line, column } = second.at
    const message = 'a second document: one file is one document'
    const suggestion = 'put it in a file of its own beside this one'
    return empty(file, nothing, [troubleOf({ message, suggestion, at: { file, line, column } })])
  }
  if (!isRecord(document.value)) {
    const message = 'expected a map: sources, apps, discover and so on'
    return empty(file, nothing, [troubleOf({ message, at: start })])
  }
  return examined(schema, nothing, file, document, hints)
}

function examined<Data extends object>(
  schema: z.ZodMiniType<Data>,
  nothing: Data,
  file: string,
  document: YamlDocument,
  hints: Hints,
): Written<Data> {
  const found = examine(schema, document.value, {}, hints)
  const { data, faults } = found
  const original = (path: YamlPath) => found.original(path)
  function placeOf(path: YamlPath, on: 'key' | 'value'): Place {
    const { line, column } = on === 'key' ? document.keyAt(path) : document.valueAt(path)
    return { file, line, column }
  }
  const problems = faults.map(({ path, on, message, suggestion }) =>
    troubleOf({ message: `${pathText(path)}: ${message}`, suggestion, at: placeOf(path, on) }),
  )
  return {
    file,
    data: data ?? nothing,
    raw: document.value,
    problems,
    isFaulty: (path) => faults.some((fault) => isWithin(original(path), fault.path)),
    at: (path, on = 'value') => placeOf(original(path), on),
    valueOf: (path) => jsonOf(valueAt(document.value, original(path))),
    textOf(path) {
      const value = valueAt(document.value, original(path))
      if (typeof value === 'string') return value
      if (typeof value !== 'number' && typeof value !== 'boolean') return undefined
      return document.sourceOf(original(path)) ?? String(value)
    },
  }
}

function isWithin(outer: YamlPath, path: YamlPath): boolean {
  return outer.every((part, index) => path[index] === part)
}

function empty<Data>(file: string, data: Data, problems: readonly ProblemFacts[]): Written<Data> {
  const at = () => ({ file, line: 1, column: 1 })
  const nowhere = () => undefined
  const isFaulty = () => problems.length > 0
  return { file, data, raw: undefined, problems, isFaulty, at, valueOf: nowhere, textOf: nowhere }
}

/** YAML's data is JSON's, save for numbers that JSON has no word for. */
function jsonOf(value: unknown): Json | undefined {
  if (value === undefined) return undefined
  if (isList(value)) return value.map((item) => jsonOf(item) ?? null)
  if (isRecord(value)) {
    return Object.fromEntries(
      Object.entries(value).map(([key, item]) => [key, jsonOf(item) ?? null]),
    )
  }
  if (typeof value === 'string' || typeof value === 'boolean' || value === null) return value
  if (typeof value !== 'number') return null
  return Number.isFinite(value) ? value : String(value)
}
