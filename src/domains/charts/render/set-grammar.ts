/** Helm's `--set` texts: `a.b[0]=c,list={x,y}`, with backslashes before what is meant literally. */

export type Key = string | number
export type Setting = { readonly path: readonly Key[]; readonly value: unknown }

export class SetError extends Error {}

const maxIndex = 65_536
const maxDepth = 30

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
  for (; at < text.length && !stops.includes(text[at]!); at++) {
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
