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
  readonly refused: readonly RefusedBy[]
  readonly problems: readonly ProblemFacts[]
  /** Names that somebody else has, and the discoveries that found them too. */
  readonly waiting: readonly { readonly key: string; readonly by: string }[]
}

/** `by`: the name of the discovery. */
export type FoundBy = { readonly by: string; readonly found: DiscoveryResult }
export type RefusedBy = Refused & { readonly by: string }

/**
 * What is declared under apps at a folder stands in place of what is found there. Of several discoveries that find one name, the
 * one that has it keeps it (`holderOf`: by the name of the discovery), else the one that is declared first: no source stops an
 * application of another by a folder of the same name. A missing dependency or a circle is told and changes nothing: who waits in
 * vain is not changed.
 */
export function allApps(
  declarations: Declarations,
  founds: readonly FoundBy[],
  holderOf: (key: string) => string | undefined = () => undefined,
): AllApps {
  const places = new Set(declarations.apps.map(({ source, path }) => placeKey(source, path)))
  const isFree = (one: Pick<Declared, 'source' | 'path'>) =>
    !places.has(placeKey(one.source, one.path))
  const order = new Map(declarations.discoveries.map(({ name }, i) => [name, i]))
  const sorted = founds.toSorted(
    (one, other) => (order.get(one.by) ?? 0) - (order.get(other.by) ?? 0),
  )
  const discovered = sorted.flatMap(({ by, found }): readonly Candidate[] => [
    ...found.apps.filter(isFree).map((app) => ({ by, app, place: app })),
    ...found.refused.filter(isFree).map((refused) => ({ by, refused, place: refused })),
  ])
  const declaredKeys = new Map(declarations.apps.map((app) => [keyOf(app.application), app]))
  const apps: Declared[] = [...declaredKeys.values()]
  const refused: RefusedBy[] = []
  const waiting: AllApps['waiting'][number][] = []
  const clashes: ProblemFacts[] = []
  const byKey = Map.groupBy(discovered, ({ place }) => keyOf(place.application))
  for (const [key, group] of byKey) {
    const declared = declaredKeys.get(key)
    const holder = declared === undefined ? (holderOf(key) ?? defined(group[0]).by) : undefined
    const own = group.filter(({ by }) => by === holder)
    apps.push(...own.flatMap(({ app }) => app ?? []))
    refused.push(...own.flatMap((one) => (one.refused ? [{ ...one.refused, by: one.by }] : [])))
    const others = group.filter(({ by, app }) => by !== holder && (declared === undefined || app))
    if (others.length === 0) continue
    waiting.push(...others.map(({ by }) => ({ key, by })))
    const first = declared ?? own[0]?.place
    clashes.push(clash(key, { holder, first, isDeclared: declared !== undefined }, others))
  }
  const others = [...byKey.keys(), ...declaredKeys.keys()]
  const isWhole = founds.every(({ found }) => found.isWhole)
  return {
    apps,
    refused,
    waiting,
    problems: [
      ...sorted.flatMap(untold(discovered)),
      ...clashes,
      ...discovered.flatMap((one) => one.refused?.problems ?? []),
      ...dependencyProblems(apps, isWhole ? others : undefined),
    ],
  }
}

/** What a discovery found under a name: an application, or one that it had to refuse. */
type Candidate = {
  readonly by: string
  readonly app?: Declared
  readonly refused?: Refused
  readonly place: Pick<Declared, 'application' | 'source' | 'path'> & Partial<Pick<Declared, 'at'>>
}

/** Problems of a discovery itself: those of its refused ones are told with them. */
function untold(discovered: readonly Candidate[]): (one: FoundBy) => readonly ProblemFacts[] {
  const told = new Set(discovered.flatMap(({ refused }) => refused?.problems ?? []))
  return ({ found }) => {
    const ofRefused = new Set(found.refused.flatMap(({ problems }) => problems))
    return found.problems.filter((problem) => !ofRefused.has(problem) && !told.has(problem))
  }
}

type Holder = {
  /** Undefined: it is declared under apps. */
  readonly holder: string | undefined
  /** Where it is; undefined: its discovery does not find it any more, or was not read yet. */
  readonly first: Candidate['place'] | undefined
  readonly isDeclared: boolean
}

function clash(
  key: string,
  { holder, first, isDeclared }: Holder,
  others: readonly Candidate[],
): ProblemFacts {
  const where = others.map(({ place, by }) => placeWords(place, isDeclared ? undefined : by))
  const has = first === undefined ? `what ${holder} had` : placeWords(first, holder)
  const message = `${key} stands for several: ${[has, ...where].join(', ')}; the first keeps the name`
  const names = [...new Set(others.map(({ by }) => by))].join(', ')
  const suggestion = isDeclared
    ? 'the declared one is taken; rename the others, or exclude them'
    : `give the discovery ${names} a prefix, or exclude the folder there; if it is to take the place of the first, remove that one with all that runs of it, and then: tend forget ${key}`
  return troubleOf({ code: 'duplicate_name', message, suggestion, at: others[0]?.place.at })
}

function placeWords({ path, at }: Candidate['place'], by: string | undefined): string {
  const of = by === undefined ? '' : ` of ${by}`
  return `${path}${of}${at === undefined ? '' : ` (${placeText(at)})`}`
}

function placeKey(source: SourceDeclared, path: string): string {
  return canonical([source.kind, ...wordsOfSource(source), path])
}
