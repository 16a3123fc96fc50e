/** SOPS's notes in files that know no nesting: `age__list_0__map_enc` stands for `age[0].enc`. */
import { defined } from '#model/defined.ts'

export function unflattened(pairs: readonly (readonly [name: string, value: string])[]): unknown {
  const root: Branch = new Map()
  for (const [name, value] of pairs) {
    const parts = name.split(/__(?:list|map)_/)
    const last = defined(parts.pop())
    let here = root
    for (const part of parts) {
      const next = here.get(part)
      const branch: Branch = next instanceof Map ? next : new Map()
      here.set(part, branch)
      here = branch
    }
    here.set(last, value)
  }
  return nested(root)
}

type Branch = Map<string, string | Branch>

function nested(value: string | Branch): unknown {
  if (typeof value === 'string') return value
  const keys = [...value.keys()]
  if (keys.length > 0 && keys.every((key) => /^\d+$/.test(key))) {
    return keys
      .toSorted((a, b) => Number(a) - Number(b))
      .map((key) => nested(defined(value.get(key))))
  }
  return Object.fromEntries(keys.map((key) => [key, nested(defined(value.get(key)))]))
}
