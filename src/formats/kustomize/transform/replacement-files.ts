/** Replacements may stand in files of their own, one or a list of them. */
import { type Source, list } from '../yaml/decode.ts'
import { fail } from '../error.ts'
import type { Loader } from '../load/loader.ts'
import { parseOne } from '../yaml/parse.ts'
import { type Replacement, type ReplacementEntry, replacement } from '../load/settings.ts'

export function loadedReplacements(
  entries: readonly ReplacementEntry[],
  loader: Loader,
): readonly Replacement[] {
  return entries.flatMap(({ path, ...inline }) => {
    if (!path) return [inline]
    if (inline.source !== undefined || (inline.targets?.length ?? 0) > 0) {
      return fail('a replacement has both a path and settings of its own; one is enough')
    }
    const file = loader.pathOf(path)
    const source: Source = { file, isStrict: false, isLoose: true }
    const node = parseOne(loader.text(path), file, 'old')
    if (node === undefined || node.kind === 'scalar') return fail(`${path} holds no replacements`)
    return node.kind === 'list'
      ? (list(replacement)(node, source) ?? [])
      : [replacement(node, source)]
  })
}
