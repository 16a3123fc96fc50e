/** Writes data as YAML in the ways people do: blocks and flows, quotes of all kinds, comments, odd spellings of values. */
import type { Draw } from './draw.ts'

/** A scalar in this very spelling. */
export class Raw {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Data =
  | string
  | number
  | boolean
  | null
  | Raw
  | readonly Data[]
  | { readonly [key: string]: Data | undefined }

export function writeYaml(data: Data, draw: Draw): string {
  return `${block(data, '', draw)}\n`.replace(/^\n/, '')
}

function isMap(data: Data): data is { readonly [key: string]: Data | undefined } {
  return typeof data === 'object' && data !== null && !Array.isArray(data) && !(data instanceof Raw)
}

function isItems(data: Data): data is readonly Data[] {
  return Array.isArray(data)
}

/** Begins with a line break where it is not one scalar. */
function block(data: Data, indent: string, draw: Draw): string {
  if (isItems(data)) {
    if (data.length === 0) return '[]'
    if (draw.chance(10)) return flow(data)
    const inner = indent === '' || draw.chance(50) ? indent : `${indent}  `
    return data
      .map((item) => {
        const text = block(item, `${inner}  `, draw)
        return `\n${inner}- ${text.replace(/^\n\s*/, '')}`
      })
      .join('')
  }
  if (!isMap(data)) return scalar(data, indent, draw)
  const entries = Object.entries(data).filter(
    (entry): entry is [string, Data] => entry[1] !== undefined,
  )
  if (entries.length === 0) return '{}'
  if (draw.chance(8)) return flow(data)
  return entries
    .map(([key, value]) => {
      const isNested = isMap(value) || isItems(value)
      const text = block(value, isItems(value) ? indent : `${indent}  `, draw)
      const comment = draw.chance(4) ? ' # said so' : ''
      const before = draw.chance(3) ? `\n${indent}# about ${key}` : ''
      if (isNested && text.startsWith('\n'))
        return `${before}\n${indent}${name(key)}:${comment}${text}`
      const isLines = text.startsWith('|') || text.startsWith('>')
      return `${before}\n${indent}${name(key)}: ${text}${isLines ? '' : comment}`
    })
    .join('')
}

function name(key: string): string {
  return /^[A-Za-z_$][\w./$-]*$/.test(key) && !/^(?:true|false|null|yes|no|on|off|y|n)$/i.test(key)
    ? key
    : JSON.stringify(key)
}

function flow(data: Data): string {
  if (isItems(data)) return `[${data.map(flow).join(', ')}]`
  if (!isMap(data)) {
    if (data instanceof Raw) return data.text === '' ? 'null' : data.text
    return typeof data === 'string' ? JSON.stringify(data) : String(data)
  }
  const entries = Object.entries(data).filter(
    (entry): entry is [string, Data] => entry[1] !== undefined,
  )
  return `{${entries.map(([key, value]) => `${JSON.stringify(key)}: ${flow(value)}`).join(', ')}}`
}

function scalar(data: string | number | boolean | null | Raw, indent: string, draw: Draw): string {
  if (data instanceof Raw) return data.text
  if (typeof data !== 'string') return String(data)
  const isPlain =
    /^[A-Za-z][\w./@-]*(?::[\w./@-]+)*$/.test(data) &&
    !/^(?:true|false|null|yes|no|on|off|y|n|nan)$/i.test(data)
  const isLines = /^[^\s].*\n/.test(data) && !/[\t\r]| \n|\n\n/.test(data)
  if (isLines && draw.chance(60)) {
    const mark = data.endsWith('\n') ? '|' : '|-'
    return `${mark}\n${data
      .replace(/\n$/, '')
      .split('\n')
      .map((line) => (line === '' ? '' : `${indent}  ${line}`))
      .join('\n')}`
  }
  if (isPlain && !draw.chance(15)) return data
  if (!/['\n\\\t\r]/.test(data) && draw.chance(30)) return `'${data}'`
  return JSON.stringify(data)
}
