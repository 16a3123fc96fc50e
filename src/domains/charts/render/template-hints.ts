/** What to do about a template that can't be rendered, or that prints nothing. */
import { functions } from '#formats/template/functions/library.ts'
import { isRecord } from '#model/json.ts'
import { didYouMean, nearest } from '#formats/schema/suggestion.ts'

/** `message` is the engine's, which speaks as Go does. */
export function hintFor(message: string, values: unknown): string | undefined {
  const name = /^function "(.*)" not defined$/.exec(message)?.[1]
  if (name !== undefined) return functionMeant(name)
  if (message === 'unexpected EOF') {
    return 'an {{ if }}, {{ range }}, {{ with }} or {{ define }} has no {{ end }}'
  }
  if (message.startsWith('unexpected "}" in ')) return 'an action ends with two braces: {{ … }}'
  if (/^unexpected .* in operand$/.test(message)) return 'look at what stands between {{ and }}'
  if (!message.includes('nil pointer evaluating')) return undefined
  return (
    valueMeant(inAngles(message), values) ??
    'something before the last dot is not set: set it in values.yaml, or ask with: dig "a" "b" "default" .Values'
  )
}

function inAngles(message: string): string {
  const start = message.indexOf('<') + 1
  const end = message.indexOf('>', start)
  return start === 0 || end < 0 ? '' : message.slice(start, end)
}

/** Names of the same functions in other languages, in lower case. */
const sameFunction: ReadonlyMap<string, string> = new Map([
  ['upcase', 'upper'],
  ['uppercase', 'upper'],
  ['downcase', 'lower'],
  ['lowercase', 'lower'],
  ['capitalize', 'title'],
  ['strip', 'trim'],
  ['length', 'len'],
  ['size', 'len'],
  ['json', 'toJson'],
  ['yaml', 'toYaml'],
  ['base64', 'b64enc'],
  ['base64encode', 'b64enc'],
  ['base64decode', 'b64dec'],
  ['sha256', 'sha256sum'],
  ['equals', 'eq'],
])

function functionMeant(name: string): string | undefined {
  const same = sameFunction.get(name.toLowerCase())
  return same === undefined ? didYouMean(name, [...functions.keys()]) : `did you mean ${same}?`
}

/** `.Values.a.prot` as it was probably meant: the first key that is not there, replaced by the nearest one beside it. */
export function valueMeant(asked: string, values: unknown): string | undefined {
  const path = /^\$?\.Values((?:\.\w+)+)/.exec(asked)?.[1]?.slice(1).split('.') ?? []
  let here = values
  for (const [index, key] of path.entries()) {
    if (!isRecord(here)) return undefined
    if (Object.hasOwn(here, key)) {
      here = here[key]
      continue
    }
    const meant = nearest(key, Object.keys(here))
    return meant === undefined
      ? undefined
      : `did you mean .Values.${path.with(index, meant).join('.')}?`
  }
  return undefined
}
