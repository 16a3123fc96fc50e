/** What `--verbose` tells before anything happens: what was found, and in which order it will be made. */
import type { EventOf } from '#model/event.ts'
import { countByKind } from '#model/plan.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { box } from './layout.ts'
import { count, kindsOf, manifestOf, titleOf } from './words.ts'

type Resources = EventOf<'rendered'>['resources']

export function analysisLines(resources: Resources): readonly string[] {
  const refs = resources.map(({ ref }) => ref)
  const counts = countByKind(refs)
  return [
    ...box('Parsing Manifests'),
    `Found ${count(refs.length, 'resource')}:`,
    ...kindsOf(refs).map((kind) => `  - ${counts.get(kind)} ${manifestOf(kind)}`),
    ...box('Dependency Analysis'),
    'Execution order:',
    ...orderOf(resources).map(
      ({ kind, names }, index) => `  ${index + 1}. ${titleOf(kind)}: ${names.join(', ')}`,
    ),
  ]
}

/** By kind, and those of one kind that wait for each other on further lines. */
function orderOf(
  resources: Resources,
): readonly { readonly kind: string; readonly names: readonly string[] }[] {
  const levels = levelsOf(resources)
  return kindsOf(resources.map(({ ref }) => ref)).flatMap((kind) => {
    const lines: string[][] = []
    for (const { ref } of resources) {
      if (kindOf(ref) === kind) (lines[levels.get(ref) ?? 0] ??= []).push(nameOf(ref))
    }
    return lines.filter((names) => names !== undefined).map((names) => ({ kind, names }))
  })
}

/** How many of its own kind stand before it. A cycle is the engine's to report; here it only must not loop. */
function levelsOf(resources: Resources): ReadonlyMap<Ref, number> {
  const needs = new Map(resources.map(({ ref, needs: all }) => [ref, all.map((need) => need.ref)]))
  const levels = new Map<Ref, number>()
  const open = new Set<Ref>()
  function levelOf(ref: Ref): number {
    const known = levels.get(ref)
    if (known !== undefined || open.has(ref)) return known ?? 0
    open.add(ref)
    const peers = (needs.get(ref) ?? []).filter((need) => needs.has(need))
    const level = peers.reduce(
      (deepest, need) => Math.max(deepest, levelOf(need) + (kindOf(need) === kindOf(ref) ? 1 : 0)),
      0,
    )
    open.delete(ref)
    levels.set(ref, level)
    return level
  }
  for (const { ref } of resources) levelOf(ref)
  return levels
}
