/** $1, ${1} and ${name} in the replacement for a match. */
import type { MatchOffsets } from './go-pattern.ts'

export function expand(
  replacement: string,
  value: string,
  found: MatchOffsets,
  names: readonly string[],
): string {
  return replacement.replace(/\$(?:\$|(\w+)|\{(\w+)\})/g, (whole, bare, braced) => {
    if (whole === '$$') return '$'
    const name = String(bare ?? braced)
    const isNumber = /^(?:0|[1-9]\d*)$/.test(name)
    const index = isNumber
      ? Number(name)
      : names.findIndex((each, at) => each === name && (found[at * 2] ?? -1) >= 0)
    const [start = -1, end = -1] = index < 0 ? [] : found.slice(index * 2, index * 2 + 2)
    return start < 0 ? '' : value.slice(start, end)
  })
}
