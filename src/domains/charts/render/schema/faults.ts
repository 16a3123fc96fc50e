/** What zod found out, in our own words and at the place where a person has to look. */
import type * as z from 'zod/mini'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { isList, isRecord } from '#model/json.ts'
import { didYouMean } from '../suggestion.ts'
import { expectedAt, fieldsAt, partsWith, schemasAt } from './look-up.ts'
import { otherWay, sameField } from './other-tools.ts'
import { rightForm } from './right-form.ts'
import { faultKey, type Fault } from './rule.ts'

/** `on`: whether the key or the value is at fault. */
export type PlacedFault = Fault & { readonly path: YamlPath; readonly on: 'key' | 'value' }

export function faultsOf(
  schema: z.core.$ZodType,
  data: unknown,
  issues: readonly z.core.$ZodIssue[],
): readonly PlacedFault[] {
  return issues.flatMap((issue) => faultsOfIssue(schema, data, issue, []))
}

function faultsOfIssue(
  schema: z.core.$ZodType,
  data: unknown,
  issue: z.core.$ZodIssue,
  above: YamlPath,
): readonly PlacedFault[] {
  const path = [
    ...above,
    ...issue.path.map((part) => (typeof part === 'number' ? part : String(part))),
  ]
  const value = valueAt(data, path)
  switch (issue.code) {
    case 'unrecognized_keys':
      return issue.keys.map((key) => unknownField(schema, path, key))
    case 'invalid_type':
      return [wrongType(schema, path, value)]
    case 'invalid_value':
      return [notOneOf(schema, path, value, issue.values.map(String))]
    case 'invalid_key':
      return issue.issues.flatMap((inner) => invalidKey(schema, path, inner))
    case 'invalid_union':
      return unionFaults(schema, data, issue, path)
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

function unknownField(schema: z.core.$ZodType, path: YamlPath, key: string): PlacedFault {
  const suggestion =
    otherWay.get(key) ??
    (path.length === 0 ? useInstead(schema, key) : undefined) ??
    didYouMean(key, fieldsAt(schema, path)) ??
    belongsUnder(schema, path, key)
  return {
    code: 'unknown_field',
    message: 'unknown field',
    suggestion,
    path: [...path, key],
    on: 'key',
  }
}

function useInstead(schema: z.core.$ZodType, key: string): string | undefined {
  const same = sameField.get(key)
  const field = same === undefined ? undefined : /^\w+/.exec(same)?.[0]
  if (field === undefined) return undefined
  return ['metadata', ...fieldsAt(schema, [])].includes(field) ? `use ${same}` : undefined
}

/** Only specs have parts that fields could belong to; where there are many, naming them all helps nobody. */
function belongsUnder(schema: z.core.$ZodType, path: YamlPath, key: string): string | undefined {
  const parts = partsWith(schema, path, key).map((part) => `spec.${part}`)
  return parts.length === 0 || parts.length > 3
    ? undefined
    : `it belongs under ${parts.join(' or ')}`
}

/** The value itself is never part of the words: it may be a secret's. */
function wrongType(schema: z.core.$ZodType, path: YamlPath, value: unknown): PlacedFault {
  if (value === undefined || value === null) {
    return { code: 'missing_field', message: 'is required, but missing', path, on: 'key' }
  }
  const expected = expectedAt(schema, path)
  const isQuoted = expected === 'a string' && ['number', 'boolean'].includes(typeof value)
  return {
    code: 'wrong_type',
    message: `expected ${expected}, found ${foundWords(value)}`,
    suggestion: isQuoted ? 'put it in quotes' : formInstead(expected, path, value),
    path,
    on: 'value',
  }
}

function formInstead(expected: string, path: YamlPath, value: unknown): string | undefined {
  return /^a (list|map)/.test(expected) ? rightForm(path, value) : undefined
}

function foundWords(value: unknown): string {
  if (isList(value)) return 'a list'
  if (isRecord(value)) return 'a map'
  if (typeof value === 'string') return value === '' ? 'an empty string' : 'a string'
  return typeof value === 'number' ? 'a number' : String(value)
}

function notOneOf(
  schema: z.core.$ZodType,
  path: YamlPath,
  value: unknown,
  values: readonly string[],
): PlacedFault {
  if (typeof value !== 'string') return wrongType(schema, path, value)
  const shown = values.map((word) => (word === '' ? '""' : word)).join(', ')
  const message = `${JSON.stringify(value)} is not one of: ${shown}`
  return { code: 'bad_value', message, suggestion: didYouMean(value, values), path, on: 'value' }
}

/** A key of a closed map is an unknown field; one of an open map breaks a rule for keys. */
function invalidKey(
  schema: z.core.$ZodType,
  path: YamlPath,
  inner: z.core.$ZodIssue,
): readonly PlacedFault[] {
  if (inner.code === 'custom') return [{ ...customFault(inner, path), on: 'key' }]
  return [unknownField(schema, path.slice(0, -1), String(path.at(-1)))]
}

/** Of several forms the one that the value resembles most has the say; the issues of the others are noise. */
function unionFaults(
  schema: z.core.$ZodType,
  data: unknown,
  issue: z.core.$ZodIssueInvalidUnion,
  path: YamlPath,
): readonly PlacedFault[] {
  const resembling = issue.errors.find(
    (issues) => !issues.some((inner) => inner.path.length === 0 && isOfType(inner)),
  )
  if (resembling === undefined) {
    return schemasAt(schema, path).length === 0
      ? []
      : [wrongType(schema, path, valueAt(data, path))]
  }
  return resembling.flatMap((inner) => faultsOfIssue(schema, data, inner, path))
}

function isOfType(issue: z.core.$ZodIssue): boolean {
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
