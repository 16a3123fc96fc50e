/** Everything that is declared and found, as one list: no two of one name, and nobody waiting for what is not there. */
import { keyOf } from '#model/application.ts'
import { wordsOfSource } from '#model/source-place.ts'
import type { Declarations, Declared, SourceDeclared } from '#model/declaration.ts'
import { canonical } from '#model/json.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import { dependencyProblems } from './dependencies.ts'
import type { DiscoveryResult, Refused } from './discover.ts'
import { troubleOf } from './written.ts'
import { defined } from '#model/defined.ts'

type AllApps = {
  readonly apps: readonly Declared[]
  readonly refused: readonly Refused[]
  readonly problems: readonly ProblemFacts[]
}

/**
 * What is declared under apps at a folder stands in place of what is found there. Two discoveries that find one name refuse
 * it both. A missing dependency or a circle is told and changes nothing: who waits in vain is not changed.
 */
export function allApps(declarations: Declarations, found: readonly DiscoveryResult[]): AllApps {
  const places = new Set(declarations.apps.map(({ source, path }) => placeKey(source, path)))
  const isFree = (one: Pick<Declared, 'source' | 'path'>) =>
    !places.has(placeKey(one.source, one.path))
  const discovered = found.flatMap(({ apps }) => apps.filter(isFree))
  const refused = found.flatMap((one) => one.refused.filter(isFree))

  const byKey = Map.groupBy([...declarations.apps, ...discovered], (one) => keyOf(one.application))
  const refusedKeys = new Set(refused.map(({ application }) => keyOf(application)))
  const apps: Declared[] = []
  const clashing: Refused[] = []
  for (const [key, group] of byKey) {
    const [first] = group
    if (first === undefined) continue
    // what an operator named is theirs, whatever a repository calls its folders
    const isDeclared = declarations.apps.includes(first)
    if (isDeclared || (group.length === 1 && !refusedKeys.has(key))) apps.push(first)
    if (group.length > 1) clashing.push(clash(key, group, isDeclared))
  }
  const others = [...byKey.keys(), ...refusedKeys]
  const isWhole = found.every((one) => one.isWhole)
  const told = [...found.flatMap(untold(refused)), ...clashing.flatMap(({ problems }) => problems)]
  return {
    apps,
    refused: [...refused, ...clashing.filter(({ application }) => !holds(apps, application))],
    problems: [
      ...told,
      ...refused.flatMap(({ problems }) => problems),
      ...dependencyProblems(apps, isWhole ? others : undefined),
    ],
  }
}

/** Problems of a discovery itself: those of its refused ones are told with them. */
function untold(refused: readonly Refused[]): (found: DiscoveryResult) => readonly ProblemFacts[] {
  return (found) => {
    const ofRefused = new Set([...found.refused, ...refused].flatMap(({ problems }) => problems))
    return found.problems.filter((problem) => !ofRefused.has(problem))
  }
}

function holds(apps: readonly Declared[], application: Declared['application']): boolean {
  return apps.some((app) => keyOf(app.application) === keyOf(application))
}

function clash(key: string, group: readonly Declared[], isDeclared: boolean): Refused {
  const first = defined(group[0])
  const where = group.map(({ path, at }) =>
    at === undefined ? path : `${path} (${placeText(at)})`,
  )
  const message = `${key} stands for several: ${where.join(', ')}`
  const suggestion = isDeclared
    ? 'the declared one is taken; rename the others, or exclude them'
    : 'give one of the discoveries a prefix'
  const problem = troubleOf({ code: 'duplicate_name', message, suggestion, at: first.at })
  const { application, source, path } = first
  return { application, source, path, problems: [problem] }
}

function placeKey(source: SourceDeclared, path: string): string {
  return canonical([source.kind, ...wordsOfSource(source), path])
}
