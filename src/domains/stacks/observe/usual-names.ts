/** Which followed applications want a name that they have by themselves. Two may: `a` with a volume `b_c`, `a_b` with a volume `c`. */

export type UsualNames = {
  /** All that the application with this key wants now: `volume shop_data`. */
  note(key: string, names: ReadonlySet<string>): void
  /** The keys of those that want it. */
  users(name: string): readonly string[]
}

export function usualNames(): UsualNames {
  const byKey = new Map<string, ReadonlySet<string>>()
  const byName = new Map<string, readonly string[]>()
  const without = (name: string, key: string): readonly string[] =>
    (byName.get(name) ?? []).filter((one) => one !== key)
  return {
    note(key, names) {
      for (const name of byKey.get(key) ?? []) {
        const left = without(name, key)
        if (left.length === 0) byName.delete(name)
        else byName.set(name, left)
      }
      for (const name of names) byName.set(name, [...without(name, key), key])
      byKey.set(key, names)
    },
    users: (name) => byName.get(name) ?? [],
  }
}
