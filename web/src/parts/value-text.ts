/** A value of a spec as text. */
import type { Json } from '#model/json.ts'

export function valueText(value: Json): string {
  if (value === null) return '(none)'
  if (typeof value === 'string') return value === '' ? '""' : value
  return typeof value === 'object' ? yamlText(value) : String(value)
}

/** As YAML, for reading: one line a field, nested by two spaces. */
export function yamlText(value: Json, depth = 0): string {
  const space = '  '.repeat(depth)
  if (isList(value)) {
    if (value.length === 0) return '[]'
    return value.map((item) => `${space}- ${nested(item, depth + 1).trimStart()}`).join('\n')
  }
  if (typeof value === 'object' && value !== null) {
    const fields = Object.entries(value)
    if (fields.length === 0) return '{}'
    return fields
      .map(([name, field]) => {
        const text = nested(field, depth + 1)
        const isBlock = text.includes('\n') || /^\s+/.test(text)
        return isBlock ? `${space}${name}:\n${text}` : `${space}${name}: ${text}`
      })
      .join('\n')
  }
  return scalar(value)
}

function nested(value: Json, depth: number): string {
  if (typeof value === 'string' && value.includes('\n')) {
    const space = '  '.repeat(depth)
    return `${space}${value.trimEnd().replaceAll('\n', `\n${space}`)}`
  }
  return yamlText(value, depth)
}

function scalar(value: string | number | boolean | null): string {
  if (typeof value !== 'string') return String(value)
  const isPlain =
    /^[\w./@%+-][\w ./:@%+=,-]*$/.test(value) && !/^(true|false|null|[\d.]+)$/.test(value)
  return isPlain && !value.endsWith(':') && !value.includes(': ') ? value : JSON.stringify(value)
}

function isList(value: Json): value is readonly Json[] {
  return Array.isArray(value)
}
