/** Where the field stands that a server complains about: its words name the path, the file has the line. Pure. */
import { recordOf } from '#model/read-json.ts'
import { readYaml, type YamlDocument } from '#formats/yaml/read-yaml.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Place } from '#model/problem.ts'

type Part = string | number | Readonly<Record<string, string>>

/** The place of the whole object where the path leads nowhere: a patch or a generator brought it. */
export function placeOfField(text: string, origin: Place, kind: string, message: string): Place {
  const path = pathIn(message)
  if (path === undefined) return origin
  const document = readYaml(text).documents.find(({ at }) => at.line >= origin.line)
  if (document === undefined || recordOf(document.value)['kind'] !== kind) return origin
  const before = text.split('\n').slice(origin.line - 1, document.at.line - 1)
  if (!before.every((line) => /^\s*(#.*)?$|^---/.test(line))) return origin
  const { line, column } = document.keyAt(stepsOf(document, path))
  return line <= origin.line ? origin : { ...origin, line, column }
}

/** Paths without places in lists, of fields that a kind does not have. */
export function unknownFieldsIn(message: string): readonly (readonly string[])[] {
  return pathTextsIn(message).map((text) => text.replaceAll(/\[[^\]]*\]/g, '').split('.'))
}

/** What is told in the first lines; a message that quotes a whole object is not searched to its end. */
const mostLetters = 8192

function pathTextsIn(whole: string): readonly string[] {
  const message = whole.slice(0, mostLetters)
  const strict = [...message.matchAll(/unknown field "([^"]+)"/g)]
  const told = [...message.matchAll(complaint)]
  return [...strict, ...told].map(([, text = '']) => text)
}

const complaint =
  /(?:^|[\s[(])\.?([A-Za-z][\w-]*(?:\.[\w/-]+|\[[^\]]*\])*): (?:field not|expected|Invalid|Required|Unsupported|Duplicate|Forbidden|Too|Not found)/g

/** `.spec.containers[name="web"].imag: field not declared`, `spec.ports[0].port: Invalid value`, `unknown field "spec.x"`. */
function pathIn(message: string): readonly Part[] | undefined {
  const text = pathTextsIn(message)[0]
  if (text === undefined) return undefined
  return [...text.matchAll(/\[([^\]]*)\]|[^.[\]]+/g)].map(([name, inside]): Part => {
    if (inside === undefined) return name
    if (/^\d+$/.test(inside)) return Number(inside)
    const pairs = [...inside.matchAll(/([\w-]+)="?([^",]*)"?/g)]
    return pairs.length === 0
      ? inside
      : Object.fromEntries(pairs.map(([, key, value]) => [key, value]))
  })
}

function stepsOf(document: YamlDocument, path: readonly Part[]): readonly (string | number)[] {
  const steps: (string | number)[] = []
  let here: unknown = document.value
  for (const part of path) {
    const step = typeof part === 'object' ? indexOf(here, part) : part
    steps.push(step)
    here = Array.isArray(here) ? here[Number(step)] : isRecord<Json>(here) ? here[step] : undefined
  }
  return steps
}

function indexOf(list: unknown, wanted: Readonly<Record<string, string>>): number {
  const items: readonly unknown[] = Array.isArray(list) ? list : []
  return items.findIndex((item) => {
    const fields = recordOf(item)
    return Object.entries(wanted).every(([key, value]) => {
      const there = fields[key]
      return there === value || JSON.stringify(there) === value
    })
  })
}
