/** Maps of texts whose values people write as numbers or truth values too. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import type { Declaration } from './declaration.ts'

/** Undefined for an empty map as well: it asks for nothing. */
export function textsOf(
  declaration: Pick<Declaration, 'textOf'>,
  path: YamlPath,
  map: Readonly<Record<string, string | number | boolean>> | undefined,
): Readonly<Record<string, string>> | undefined {
  const entries = Object.entries(map ?? {})
  if (entries.length === 0) return undefined
  return Object.fromEntries(
    entries
      .toSorted(([left], [right]) => (left < right ? -1 : 1))
      .map(([key, value]) => [key, declaration.textOf([...path, key], value)]),
  )
}
