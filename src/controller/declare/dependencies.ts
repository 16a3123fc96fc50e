/** Applications that wait for others: everything that is named exists, and nobody waits for themself in a circle. */
import { didYouMean } from '#formats/schema/suggestion.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { troubleOf } from './written.ts'
import { defined } from '#model/defined.ts'

/** `others`: keys that exist though nothing more is known of them; undefined: more may be found later. */
export function dependencyProblems(
  apps: readonly Declared[],
  others: readonly string[] | undefined,
): readonly ProblemFacts[] {
  const byKey = new Map(apps.map((app) => [keyOf(app.application), app]))
  const known = new Set([...byKey.keys(), ...(others ?? [])])
  const missing = others === undefined ? [] : apps.flatMap((app) => missingOf(app, known))
  return [...missing, ...circles(byKey)]
}

function missingOf(
  { application, policy, at }: Declared,
  known: ReadonlySet<string>,
): ProblemFacts[] {
  return policy.dependsOn
    .filter((key) => !known.has(key))
    .map((key) => {
      const message = `${keyOf(application)} depends on ${key}, which is not declared`
      const suggestion = didYouMean(key, [...known]) ?? 'declare it, or take it out of dependsOn'
      return troubleOf({ message, suggestion, at })
    })
}

/** Each circle once, from its first to its first again. */
function circles(byKey: ReadonlyMap<string, Declared>): readonly ProblemFacts[] {
  const state = new Map<string, 'open' | 'done'>()
  const problems: ProblemFacts[] = []
  for (const start of byKey.keys()) {
    if (state.has(start)) continue
    const trail: { readonly key: string; next: number }[] = [{ key: start, next: 0 }]
    state.set(start, 'open')
    while (trail.length > 0) {
      const top = defined(trail.at(-1))
      const need = byKey.get(top.key)?.policy.dependsOn[top.next++]
      if (need === undefined) {
        state.set(top.key, 'done')
        trail.pop()
      } else if (state.get(need) === 'open') {
        const from = trail.findIndex(({ key }) => key === need)
        const keys = [...trail.slice(from).map(({ key }) => key), need]
        problems.push(circle(keys, byKey.get(top.key)))
      } else if (byKey.has(need) && !state.has(need)) {
        state.set(need, 'open')
        trail.push({ key: need, next: 0 })
      }
    }
  }
  return problems
}

function circle(keys: readonly string[], last: Declared | undefined): ProblemFacts {
  const message =
    keys.length === 2
      ? `${keys[0]} depends on itself`
      : `applications wait for each other in a circle: ${keys.join(' → ')}`
  return troubleOf({
    code: 'cycle',
    message,
    suggestion: 'take one of them out of dependsOn',
    at: last?.at,
  })
}
