/** A scalar written as text, as it becomes the value of a variable or a label. */
import type { Node } from '../yaml/node.ts'
import { formatFloat } from '../yaml/number.ts'
import { plainTime } from '../yaml/timestamp.ts'

export function formatValue(node: Node): string {
  if (node.kind === 'null') return '<nil>'
  if (node.kind === 'float') return formatFloat(node.value)
  if (node.kind === 'time') return plainTime(node.value)
  if (node.kind === 'list') return `[${node.items.map(formatValue).join(' ')}]`
  if (node.kind !== 'map') return String(node.value)
  const entries = [...node.entries].toSorted(([a], [b]) => (a < b ? -1 : 1))
  return `map[${entries.map(([key, value]) => `${key}:${formatValue(value)}`).join(' ')}]`
}
