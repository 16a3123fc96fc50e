/** How a field of a declaration reaches the host or other applications: by a rule of the policy, or in none of these ways. */
import type { Rule } from './policy.ts'

export type Reach =
  /** A rule of the policy decides. */
  | {
      readonly kind: 'rule'
      readonly rules: readonly Rule[]
      readonly why: string
      /** Rules that no file can break by itself: only a look at the engine shows it. */
      readonly onEngine?: readonly Rule[]
    }
  /** It is never carried out, whatever the policy says. */
  | { readonly kind: 'refused'; readonly why: string }
  /** Tend reads it, from the snapshot alone and never through a link that leads out. */
  | { readonly kind: 'confined'; readonly why: string }
  /** It is seen outside of the application by its very purpose; there is no rule against it. */
  | { readonly kind: 'open'; readonly why: string }
  | { readonly kind: 'nothing' }

/** By the path of the field; `*` stands for names that the user chooses. */
export type ReachTable = Readonly<Record<string, Reach>>

export function byRule(rules: Rule | readonly Rule[], why: string): Reach {
  return { kind: 'rule', rules: typeof rules === 'string' ? [rules] : rules, why }
}

/** `others`: rules that a file by itself may break. */
export function byEngine(
  onEngine: readonly Rule[],
  why: string,
  others: readonly Rule[] = [],
): Reach {
  return { kind: 'rule', rules: [...onEngine, ...others], why, onEngine }
}

export function refused(why: string): Reach {
  return { kind: 'refused', why }
}

export function confined(why: string): Reach {
  return { kind: 'confined', why }
}

export function open(why: string): Reach {
  return { kind: 'open', why }
}

/** Fields that reach nothing, as words of a text. `prefix` goes before each. */
export function reachNothing(prefix: string, words: string): ReachTable {
  const fields = words.split(/\s+/).filter((word) => word !== '')
  return Object.fromEntries(fields.map((field) => [`${prefix}${field}`, { kind: 'nothing' }]))
}

/** The table as it stands in docs/security.md: all fields that reach something. */
export function reachRows(table: ReachTable): readonly string[] {
  return Object.entries(table).flatMap(([field, reach]) => {
    if (reach.kind === 'nothing') return []
    const words = { refused: 'always refused', confined: 'snapshot only', open: 'not judged' }
    const ruling =
      reach.kind === 'rule'
        ? reach.rules.map((rule) => `\`${rule}\``).join(', ')
        : words[reach.kind]
    return [`| \`${field}\` | ${ruling} | ${reach.why} |`]
  })
}
