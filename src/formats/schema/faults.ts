/** What zod found out, in our own words and at the place where a person has to look. */
import type * as z from 'zod/mini'
import type { YamlPath } from '../yaml/find-node.ts'
import { isList, isRecord } from '#model/json.ts'
import { didYouMean } from './suggestion.ts'
import { expectedAt, fieldsAt, partsWith, schemasAt } from './look-up.ts'
import { faultKey, type Fault } from './rule.ts'

/** `on`: whether the key or the value is at fault. */
export type PlacedFault = Fault & { readonly path: YamlPath; readonly on: 'key' | 'value' }

/** What a language knows beyond its schema: words and forms that people bring along from other tools. */
export type Hints = {
  /** Instead of an unknown field. */
  field?(schema: z.core.$ZodType, path: YamlPath, key: string): string | undefined
  /** One line of the right form for a value of a wrong one. */
  form?(path: YamlPath, value: unknown): string | undefined
  /** Before the path of a part that a field belongs under. */
  readonly root?: string
  /** Where nothing comes near an unknown field, all that there are are named. */
  readonly namesFields?: boolean
}

/** What is looked at: the schema, the data and the hints to it. */
export type Subject = {
  readonly schema: z.core.$ZodType
  readonly data: unknown
  readonly hints: Hints
}

export function faultsOf(
  subject: Subject,
  issues: readonly z.core.$ZodIssue[],
): readonly PlacedFault[] {
  return issues.flatMap((issue) => faultsOfIssue(subject, issue, []))
}

function faultsOfIssue(
  subject: Subject,
  issue: z.core.$ZodIssue,
  above: YamlPath,
): readonly PlacedFault[] {
  const path = [
    ...above,
    ...issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
  ]
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(subject, path, key))
    case 'invalid_type':
      return [wrongType(subject, path)]
    case 'invalid_value':
      return [notOneOf(subject, path, issue.values.map(String))]
    case 'invalid_key':
      return issue.issues.flatMap((inner) => invalidKey(subject, path, inner))
    case 'invalid_union':
      return unionFaults(subject, issue, path)
    case 'custom':
      return [customFault(issue, path)]
    case 'too_big':
    case 'too_small':
    case 'invalid_format':
    case 'not_multiple_of':
    case 'invalid_element':
      return [{ code: 'bad_value', message: issue.message, path, on: 'value' }]
  }
}

function unknownField(subject: Subject, path: YamlPath, key: string): PlacedFault {
  const { schema, hints } = subject
  const suggestion =
    hints.field?.(schema, path, key) ??
    didYouMean(key, fieldsAt(schema, path)) ??
    belongsUnder(subject, path, key) ??
    (hints.namesFields === true ? thereAre(fieldsAt(schema, path)) : undefined)
  return {
    code: 'unknown_field',
    message: 'unknown field',
    suggestion,
    path: [...path, key],
    on: 'key',
  }
}

function thereAre(fields: readonly string[]): string | undefined {
  const each = [...new Set(fields)].toSorted()
  return each.length === 0 ? undefined : `there are: ${each.join(', ')}`
}

/** Where there are many parts that a field could belong to, naming them all helps nobody. */
function belongsUnder({ schema, hints }: Subject, path: YamlPath, key: string): string | undefined {
  const parts = partsWith(schema, path, key).map((part) => `${hints.root ?? ''}${part}`)
  return parts.length === 0 || parts.length > 3
    ? undefined
    : `it belongs under ${parts.join(' or ')}`
}

/** The value itself is never part of the words: it may be a secret's. */
function wrongType({ schema, data, hints }: Subject, path: YamlPath): PlacedFault {
  const value = valueAt(data, path)
  if (value === undefined || value === null) {
    return { code: 'missing_field', message: 'is required, but missing', path, on: 'key' }
  }
  const expected = expectedAt(schema, path)
  const isQuoted = expected === 'a string' && ['number', 'boolean'].includes(typeof value)
  const isForm = /^a (list|map)/.test(expected)
  const isNumber = expected === 'a number' && typeof value === 'string'
  return {
    code: 'wrong_type',
    message: `expected ${expected}, found ${foundWords(value)}`,
    suggestion: isQuoted
      ? 'put it in quotes'
      : isForm
        ? hints.form?.(path, value)
        : isNumber
          ? 'write digits, without quotes'
          : undefined,
    path,
    on: 'value',
  }
}

function foundWords(value: unknown): string {
  if (isList(value)) return 'a list'
  if (isRecord(value)) return 'a map'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  return typeof value === 'number' ? 'a number' : String(value)
}

function notOneOf(subject: Subject, path: YamlPath, values: readonly string[]): PlacedFault {
  const value = valueAt(subject.data, path)
  if (typeof value !== 'string') return wrongType(subject, path)
  const shown = values.map((word) => (word === '' ? '""' : word)).join(', ')
  const message = `${JSON.stringify(value)} is not one of: ${shown}`
  return { code: 'bad_value', message, suggestion: didYouMean(value, values), path, on: 'value' }
}

/** A key of a closed map is an unknown field; one of an open map breaks a rule for keys. */
function invalidKey(
  subject: Subject,
  path: YamlPath,
  inner: z.core.$ZodIssue,
): readonly PlacedFault[] {
  if (inner.code === 'custom') return [{ ...customFault(inner, path), on: 'key' }]
  return [unknownField(subject, path.slice(0, -1), String(path.at(-1)))]
}

/** Of several forms the one that the value resembles most has the say; the issues of the others are noise. */
function unionFaults(
  subject: Subject,
  issue: z.core.$ZodIssueInvalidUnion,
  path: YamlPath,
): readonly PlacedFault[] {
  const resembling = issue.errors.find((issues) => !issues.some(isOfType))
  if (resembling === undefined) {
    return schemasAt(subject.schema, path).length === 0 ? [] : [wrongType(subject, path)]
  }
  return resembling.flatMap((inner) => faultsOfIssue(subject, inner, path))
}

/** The value as a whole is something else; with forms among forms, for each of them. */
function isOfType(issue: z.core.$ZodIssue): boolean {
  if (issue.path.length > 0) return false
  if (issue.code === 'invalid_union') return issue.errors.every((issues) => issues.some(isOfType))
  return issue.code === 'invalid_type' || issue.code === 'invalid_value'
}

function customFault(issue: z.core.$ZodIssueCustom, path: YamlPath): PlacedFault {
  const params: { readonly [key: string]: unknown } = issue.params ?? {}
  const fault = params[faultKey]
  const suggestion = isRecord(fault) ? fault['suggestion'] : undefined
  return {
    code: 'bad_value',
    message: issue.message,
    suggestion: typeof suggestion === 'string' ? suggestion : undefined,
    path,
    on: 'value',
  }
}

export function valueAt(data: unknown, path: YamlPath): unknown {
  let here = data
  for (const part of path) {
    if (isList(here) && typeof part === 'number') here = here[part]
    else if (isRecord(here) && Object.hasOwn(here, part)) here = here[part]
    else return undefined
  }
  return here
}
