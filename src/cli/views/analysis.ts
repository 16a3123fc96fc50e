/** What `--verbose` prints before a run: what was found, and in which order it will be made. */
import type { Application } from '#model/application.ts'
import type { EventOf } from '#model/event.ts'
import { countByKind } from '#model/plan.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { box } from './layout.ts'
import { count, kindsOf, manifestOf, titleOf } from './labels.ts'

type Resources = EventOf<'rendered'>['resources']

export function analysisLines(resources: Resources, of: Application['kind']): readonly string[] {
  const refs = resources.map(({ ref }) => ref)
  const counts = countByKind(refs)
  return [
    ...box('Parsing Manifests'),
    `Found ${count(refs.length, 'resource')}:`,
    ...kindsOf(refs).map((kind) => `  - ${counts.get(kind)} ${manifestOf(kind, of)}`),
    ...box('Dependency Analysis'),
    'Execution order:',
    ...orderOf(resources).map(
      ({ kind, names }, index) => `  ${index + 1}. ${titleOf(kind)}: ${names.join(', ')}`,
    ),
  ]
}

/** The resources by kind. Those of one kind that wait for each other are on further lines. */
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

/** How many resources of its own kind come before it. The engine reports cycles; here they only must not loop for ever. */
function levelsOf(resources: Resources): ReadonlyMap<Ref, number> {
  const needs = new Map(resources.map(({ ref, needs: all }) => [ref, all.map((need) => need.ref)]))
  const levels = new Map<Ref, number>()
  const open = new Set<Ref>()
  const stack = resources.map(({ ref }) => ref).toReversed()
  for (let ref = stack.at(-1); ref !== undefined; ref = stack.at(-1)) {
    const before = (needs.get(ref) ?? []).filter((need) => needs.has(need))
    const waits = before.filter((need) => !levels.has(need) && !open.has(need))
    if (!levels.has(ref) && waits.length > 0) {
      open.add(ref)
      stack.push(...waits)
      continue
    }
    stack.pop()
    if (levels.has(ref)) continue
    const own = kindOf(ref)
    const above = before.map((need) => (levels.get(need) ?? 0) + (kindOf(need) === own ? 1 : 0))
    levels.set(
      ref,
      above.reduce((deepest, level) => Math.max(deepest, level), 0),
    )
  }
  return levels
}
