/** What each set declares: an object of two sets is nobody's to delete, and the other's when one lets go of it. */
import type { Ref } from '#model/ref.ts'

export type ClaimsBook = {
  /** As it was last rendered. */
  put(key: string, refs: ReadonlySet<Ref>): void
  /** As it was before it is rendered for the first time in this process. */
  remember(key: string, refs: () => readonly Ref[]): void
  /** It goes, and what it has is to go with it. */
  leave(key: string): void
  hasLeft(key: string): boolean
  /** Only these are declared: all others claim nothing any more. */
  keepOnly(keys: ReadonlySet<string>): void
  /** One of the sets that are meant which declares it. */
  find(ref: Ref, isMeant: (key: string) => boolean): string | undefined
}

/** `freed` hears of a set that declares what another one let go of. */
export function claimsBook(freed: (key: string) => void): ClaimsBook {
  const declared = new Map<string, ReadonlySet<Ref>>()
  const left = new Set<string>()

  function letGo(refs: readonly Ref[]): void {
    if (refs.length === 0) return
    for (const [key, own] of declared) if (refs.some((ref) => own.has(ref))) freed(key)
  }

  return {
    put(key, refs) {
      const before = declared.get(key) ?? []
      declared.set(key, refs)
      letGo([...before].filter((ref) => !refs.has(ref)))
    },
    remember(key, refs) {
      left.delete(key)
      if (!declared.has(key)) declared.set(key, new Set(refs()))
    },
    leave: (key) => void left.add(key),
    hasLeft: (key) => left.has(key),
    keepOnly(keys) {
      const gone = [...declared].filter(([key]) => !keys.has(key))
      for (const [key] of gone) declared.delete(key)
      for (const [, refs] of gone) letGo([...refs])
    },
    find(ref, isMeant) {
      for (const [key, refs] of declared) if (refs.has(ref) && isMeant(key)) return key
      return undefined
    },
  }
}
