/** What a document lists of each kind that can be installed: `charts`, `stacks`. */
import { kindNamed } from '#kinds/all.ts'
import type { JsonRecord } from '#model/json.ts'
import { kinds } from '../application/installed.ts'

export function byKind<One>(
  all: readonly One[],
  kindOf: (one: One) => string | undefined,
  shown: (one: One) => JsonRecord,
): JsonRecord {
  const lists = kinds.map((kind) => {
    const own = all.filter((one) => kindOf(one) === kind)
    return [kindNamed(kind).words.plural, own.map(shown)] as const
  })
  return Object.fromEntries(lists)
}
