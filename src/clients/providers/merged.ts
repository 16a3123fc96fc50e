/** Settings put over a generated configuration: maps field by field, everything else as a whole. */
import { isRecord } from '#model/json.ts'

export function mergedOver(
  base: Readonly<Record<string, unknown>>,
  over: Readonly<Record<string, unknown>>,
): Record<string, unknown> {
  const merged: Record<string, unknown> = { ...base }
  for (const [key, value] of Object.entries(over)) {
    const below = merged[key]
    merged[key] =
      isRecord<unknown>(below) && isRecord<unknown>(value) ? mergedOver(below, value) : value
  }
  return merged
}
