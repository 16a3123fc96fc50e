/** Which objects each kustomization declares. An object that two declare is deleted by neither, and stays with the other when one lets go of it. */
import type { Ref } from '#model/ref.ts'

export type ClaimsBook = {
  /** The objects of a kustomization as it was last rendered. */
  put(key: string, refs: ReadonlySet<Ref>): void
  /** The objects of a kustomization that was not rendered in this process yet. */
  remember(key: string, refs: () => readonly Ref[]): void
  /** The kustomization is removed, and its objects with it. */
  leave(key: string): void
  hasLeft(key: string): boolean
  /** Only these kustomizations are declared: the claims of all others end. */
  keepOnly(keys: ReadonlySet<string>): void
  /** A kustomization that declares the object, among those that `isMeant` selects. */
  find(ref: Ref, isMeant: (key: string) => boolean): string | undefined
}

/** `freed` is called with a kustomization that declares an object which another one let go of. */
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
