/** Helm's `--set` texts: `a.b[0]=c,list={x,y}`, with backslashes before what is meant literally. */
import { defined } from '#model/defined.ts'

export type Key = string | number
export type Setting = { readonly path: readonly Key[]; readonly value: unknown }

export class SetError extends Error {}

const maxIndex = 65_536
const maxDepth = 30

/** The flags whose whole text is behind them. */
const setKinds = ['set', 'set-string', 'set-json', 'set-literal'] as const
export type SetKind = (typeof setKinds)[number]

export function settingsIn(kind: SetKind, text: string): readonly Setting[] {
  if (kind === 'set-json') return jsonSettings(text)
  if (kind !== 'set-literal') return parseSettings(text, kind === 'set-string')
  const { keys, value } = keyed(text, text)
  return [{ path: keys, value }]
}

/** `a.b={"c":1},d=[2]`, or one whole object. */
function jsonSettings(text: string): readonly Setting[] {
  if (text.trimStart().startsWith('{')) {
    const whole = jsonOf(text)
    if (whole === undefined) throw new SetError(`${JSON.stringify(text)} is not JSON`)
    const entries = Object.entries(whole.value ?? {})
    return entries.map(([key, value]) => ({ path: [key], value }))
  }
  const settings: Setting[] = []
  for (let rest = text; rest !== '';) {
    const { keys, value } = keyed(rest, text)
    const json = firstJson(value)
    if (json === undefined)
      throw new SetError(`${JSON.stringify(text)}: no JSON behind ${keys.join('.')}`)
    settings.push({ path: keys, value: json.value })
    rest = value.slice(json.length + 1).trimStart()
  }
  return settings
}

function keyed(
  rest: string,
  text: string,
): { readonly keys: readonly Key[]; readonly value: string } {
  const path = readPath(rest)
  if (rest[path.length] === '=') return { keys: path.keys, value: rest.slice(path.length + 1) }
  throw new SetError(`${JSON.stringify(text)} has no "=" behind ${path.written || 'the key'}`)
}

/** The value ends at the first comma up to which it is whole. */
function firstJson(text: string): { readonly value: unknown; readonly length: number } | undefined {
  for (let end = text.indexOf(','); end >= 0; end = text.indexOf(',', end + 1)) {
    const found = jsonOf(text.slice(0, end))
    if (found !== undefined) return { ...found, length: end }
  }
  const found = jsonOf(text)
  return found && { ...found, length: text.length }
}

function jsonOf(text: string): { readonly value: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text)
    return { value }
  } catch (error) {
    if (error instanceof SyntaxError) return undefined
    throw error
  }
}

/** `isText`: values stay texts (`--set-string`); otherwise true, false, null and whole numbers are what they look like. */
export function parseSettings(text: string, isText: boolean): readonly Setting[] {
  const settings: Setting[] = []
  let rest = text
  while (rest !== '') {
    const path = readPath(rest)
    rest = rest.slice(path.length)
    if (!rest.startsWith('='))
      throw new SetError(`${JSON.stringify(text)} has no "=" behind ${path.written || 'the key'}`)
    const value = readValue(rest.slice(1), isText)
    rest = rest.slice(1 + value.length)
    settings.push({ path: path.keys, value: value.value })
    if (rest.startsWith(',')) rest = rest.slice(1)
    else if (rest !== '')
      throw new SetError(`${JSON.stringify(text)}: expected "," before ${JSON.stringify(rest)}`)
  }
  return settings
}

/** `a.b[0]` */
export function parsePath(text: string): readonly Key[] {
  const path = readPath(text)
  if (path.length === text.length) return path.keys
  throw new SetError(`${JSON.stringify(text)} is not the path of a value`)
}

function readPath(text: string): { keys: readonly Key[]; length: number; written: string } {
  const keys: Key[] = []
  let at = 0
  for (;;) {
    if (text[at] === '[' && keys.length > 0) {
      const match = /^\[(\d+)\]/.exec(text.slice(at))
      const index = Number(match?.[1])
      if (match === null || index > maxIndex) {
        throw new SetError(`${JSON.stringify(text)}: not an index from 0 to ${maxIndex}`)
      }
      keys.push(index)
      at += match[0].length
    } else {
      const { read, length } = until(text.slice(at), '.[=,')
      if (read === '') throw new SetError(`${JSON.stringify(text)} has an empty key`)
      keys.push(read)
      at += length
    }
    if (keys.length > maxDepth) throw new SetError(`${JSON.stringify(text)} is nested too deeply`)
    if (text[at] === '.') at++
    else if (text[at] !== '[') return { keys, length: at, written: text.slice(0, at) }
  }
}

function readValue(text: string, isText: boolean): { value: unknown; length: number } {
  if (!text.startsWith('{')) {
    const { read, length } = until(text, ',')
    return { value: typed(read, isText), length }
  }
  const items: unknown[] = []
  let at = 1
  for (;;) {
    const { read, length } = until(text.slice(at), ',}')
    at += length
    if (text[at] === undefined) throw new SetError(`the list ${JSON.stringify(text)} has no "}"`)
    const isEmptyList = text[at] === '}' && items.length === 0 && read === ''
    if (!isEmptyList) items.push(typed(read, isText))
    if (text[at++] === '}') return { value: items, length: at }
  }
}

/** Up to one of the stops; a backslash takes the next character as it is. */
function until(text: string, stops: string): { read: string; length: number } {
  let read = ''
  let at = 0
  for (; at < text.length && !stops.includes(defined(text[at])); at++) {
    if (text[at] === '\\' && at + 1 < text.length) at++
    read += text[at]
  }
  return { read, length: at }
}

/** As Helm: a number with a leading zero, or with a fraction, stays a text. */
function typed(text: string, isText: boolean): unknown {
  if (isText) return text
  if (text === 'true') return true
  if (text === 'false') return false
  if (text === 'null') return null
  return /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : text
}
