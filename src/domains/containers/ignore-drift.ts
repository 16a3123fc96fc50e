/** Fields that the operator said are not worth a word when they are changed by hand: left as they are, and no drift. */
import type { IgnoredFields } from '#model/declaration.ts'
import type { Kind } from '#model/domain.ts'
import { isBelow } from './changes.ts'

/** What a commit changes is changed all the same: only drift is passed over. */
export function ignoringDrift(kind: Kind, rules: readonly IgnoredFields[] | undefined): Kind {
  if (rules === undefined || rules.length === 0) return kind
  return {
    ...kind,
    compare(wanted, seen, vault, allowed) {
      const difference = kind.compare(wanted, seen, vault, allowed)
      if (difference.kind !== 'changed' || difference.isDrift !== true) return difference
      const ignored = rules.flatMap(({ resource, fields }) =>
        resource === wanted.ref ? fields : [],
      )
      const changes = difference.changes.filter(
        ({ path }) => !ignored.some((field) => isBelow(path, field)),
      )
      if (changes.length === difference.changes.length) return difference
      return changes.length === 0 ? { kind: 'same' } : { ...difference, changes }
    },
  }
}

/** How tend.yaml says it, below the entry of an application. */
export function ignoreLines(ref: string, path: string): readonly string[] {
  return ['ignore:', `  - resource: ${ref}`, `    fields: [${JSON.stringify(path)}]`]
}
