/** The files of a chart as templates see them: Helm's `.Files`, read when they are asked for. */
import { PatternError } from '../regexp/error.ts'
import { goRegExp } from '../regexp/go-regexp.ts'
import { byteList } from './byte-list.ts'
import { fromBuffer, toBuffer, toBytes, toText } from './bytes.ts'
import { yamlOf } from './functions/yaml.ts'
import { strings, takes0, takes1, text, type Context, type Func } from './library.ts'
import { compareBytes, type Dict, type Value } from './values.ts'

export type FileSource = {
  /** All names, asked for once and only when a template needs them. */
  names(): readonly string[]
  /** Undefined: there is no such file. */
  read(name: string): Uint8Array | undefined
}

const filesType = 'engine.files'

/** Names and contents as byte strings. */
type FileSet = { names(): readonly string[]; read(name: string): string | undefined }

type Files = Dict & { readonly held: FileSet }

export function filesOf(source: FileSource): Value {
  const read = new Map<string, string | undefined>()
  return files({
    names: () => source.names().map(toBytes),
    read(name) {
      if (!read.has(name)) {
        const content = source.read(toText(name))
        read.set(name, content && fromBuffer(Buffer.from(content)))
      }
      return read.get(name)
    },
  })
}

function files(held: FileSet): Files {
  let entries: Map<string, Value> | undefined
  return {
    kind: 'dict',
    type: filesType,
    isNil: false,
    held,
    get entries() {
      entries ??= new Map(
        held.names().map((name) => [name, byteList(() => held.read(name) ?? '')] as const),
      )
      return entries
    },
  }
}

function isFiles(value: Value): value is Files {
  return typeof value === 'object' && value?.kind === 'dict' && 'held' in value
}

export function fileMethods(value: Value, name: string): Func | undefined {
  if (!isFiles(value)) return undefined
  const { held } = value
  switch (name) {
    case 'Get':
      return takes1(text, (_, path) => held.read(path) ?? '')
    case 'GetBytes':
      return takes1(text, (_, path) => byteList(() => held.read(path) ?? ''))
    case 'Lines':
      return takes1(text, (_, path) => strings(linesOf(held.read(path) ?? '')))
    case 'Glob':
      return takes1(text, (context, pattern) => matching(held, pattern, context))
    case 'AsConfig':
      return takes0((context) => asYaml(held, (content) => content, context))
    case 'AsSecrets':
      return takes0((context) => asYaml(held, base64, context))
    default:
      return undefined
  }
}

function linesOf(content: string): string[] {
  return content === '' ? [] : content.replace(/\n$/, '').split('\n')
}

function base64(content: string): string {
  return toBuffer(content).toString('base64')
}

function matching(held: FileSet, pattern: string, { budget }: Context): Value {
  const fits = globTest(pattern)
  const names = held.names().filter((name) => {
    budget.size(name.length)
    return fits(name)
  })
  const known = new Set(names)
  return files({
    names: () => names,
    read: (name) => (known.has(name) ? held.read(name) : undefined),
  })
}

/** By the last part of their paths; where two are alike, the last in order of paths is taken. */
function asYaml(held: FileSet, shown: (content: string) => string, { budget }: Context): string {
  const entries = new Map<string, Value>()
  for (const name of [...held.names()].sort(compareBytes)) {
    const content = held.read(name) ?? ''
    budget.text(content)
    entries.set(name.slice(name.lastIndexOf('/') + 1), shown(content))
  }
  return yamlOf({ kind: 'dict', type: 'map[string]string', entries, isNil: false }, budget)
}

/** A pattern that can't be read fits every name, as in Helm. */
function globTest(pattern: string): (name: string) => boolean {
  try {
    const expression = goRegExp(expressionOf(toText(pattern)))
    return (name) => expression.test(toText(name))
  } catch (error) {
    if (error instanceof PatternError) return () => true
    throw error
  }
}

/** `*` and `?` stay inside a folder, `**` does not; `[a-z]`, `[!a]` and `{a,b}` as in a shell. */
function expressionOf(pattern: string): string {
  let out = ''
  let open = 0
  for (let at = 0; at < pattern.length; at++) {
    const letter = pattern[at] ?? ''
    if (letter === '*' && pattern[at + 1] === '*') {
      out += '.*'
      at++
    } else if (letter === '*') out += '[^/]*'
    else if (letter === '?') out += '[^/]'
    else if (letter === '[') {
      const end = pattern.indexOf(']', at + 2)
      if (end < 0) throw new PatternError('missing closing ]')
      const inner = pattern.slice(at + 1, end).replace(/[\\[\]^&]/g, '\\$&')
      out += inner.startsWith('!') ? `[^${inner.slice(1)}]` : `[${inner}]`
      at = end
    } else if (letter === '{') {
      out += '(?:'
      open++
    } else if (letter === '}' && open > 0) {
      out += ')'
      open--
    } else if (letter === ',' && open > 0) out += '|'
    else out += literal(letter === '\\' ? (pattern[++at] ?? '') : letter)
  }
  if (open > 0) throw new PatternError('missing closing }')
  return `(?s)^(?:${out})$`
}

function literal(letter: string): string {
  return letter.replace(/[\\^$.|?*+()[\]{}]/g, '\\$&')
}
