/** What all discoveries found, as one list with what is declared: a name belongs to one, and the operator's word counts first. */
import { keyOf } from '#model/application.ts'
import type { Declarations, Declared, Discovery } from '#model/declaration.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Branch } from '../sources/repository-poller.ts'
import { allApps } from '../declare/all-apps.ts'
import type { DiscoveryResult, Refused } from '../declare/discover.ts'
import { troubleOf } from '../declare/written.ts'

type Home = { readonly discovery: Discovery; readonly branch: Branch }

export type Total = {
  /** By the name of the discovery. */
  readonly founds: ReadonlyMap<string, DiscoveryResult>
  readonly found: readonly (Home & { readonly declared: Declared })[]
  readonly refused: readonly (Home & { readonly refused: Refused })[]
  /** Keys that are there, whether or not they may run. */
  readonly taken: ReadonlySet<string>
  /** Keys that were refused before and are not any more. */
  readonly freed: ReadonlySet<string>
  /** Not told yet. */
  readonly newProblems: readonly ProblemFacts[]
}

export type DiscoveredApps = {
  put(discovery: Discovery, branch: Branch, found: DiscoveryResult): void
  total(declarations: Declarations): Total
}

export function createDiscoveredApps(): DiscoveredApps {
  const latest = new Map<string, Home & { readonly found: DiscoveryResult }>()
  let told: ReadonlySet<string> = new Set()
  let refusedBefore: ReadonlySet<string> = new Set()

  return {
    put: (discovery, branch, found) =>
      void latest.set(discovery.name, { discovery, branch, found }),
    total(declarations) {
      const names = new Set(declarations.discoveries.map(({ name }) => name))
      for (const name of latest.keys()) if (!names.has(name)) latest.delete(name)
      const homes = [...latest.values()]
      // what is only declared was looked at when it was read
      if (homes.length === 0) return nothingFound(declarations)
      const founds = homes.map(({ found }) => found)
      const all = allApps(declarations, founds)
      const running = new Set(all.apps)
      const declaredKeys = declarations.apps.map(keyed)
      const refused = refusedIn(homes, all.refused, new Set(declaredKeys))
      const refusedKeys = new Set(refused.map(({ refused: one }) => keyed(one)))
      const freed = new Set([...refusedBefore].filter((key) => !refusedKeys.has(key)))
      const texts = new Set(all.problems.map(textOf))
      const newProblems = all.problems.filter((problem) => !told.has(textOf(problem)))
      told = texts
      refusedBefore = refusedKeys
      return {
        founds: new Map(homes.map(({ discovery, found }) => [discovery.name, found])),
        found: homes.flatMap(({ discovery, branch, found }) =>
          found.apps
            .filter((declared) => running.has(declared))
            .map((declared) => ({ discovery, branch, declared })),
        ),
        refused,
        taken: new Set([
          ...all.apps.map(keyed),
          ...declaredKeys,
          ...founds.flatMap((one) => one.refused.map(keyed)),
          ...refusedKeys,
        ]),
        freed,
        newProblems,
      }
    },
  }
}

function nothingFound({ apps }: Declarations): Total {
  const nothing = { founds: new Map(), found: [], refused: [], freed: new Set<string>() }
  return { ...nothing, taken: new Set(apps.map(keyed)), newProblems: [] }
}

/** A folder that can't be told is no reason to stop what an operator declared under its name. */
function refusedIn(
  homes: readonly (Home & { readonly found: DiscoveryResult })[],
  all: readonly Refused[],
  declared: ReadonlySet<string>,
): Total['refused'] {
  const byKey = new Map<string, Home>()
  for (const { discovery, branch, found } of homes) {
    for (const one of [...found.apps, ...found.refused]) {
      if (!byKey.has(keyed(one))) byKey.set(keyed(one), { discovery, branch })
    }
  }
  return all.flatMap((refused) => {
    const home = byKey.get(keyed(refused))
    return home === undefined || declared.has(keyed(refused)) ? [] : [{ ...home, refused }]
  })
}

function keyed({ application }: Pick<Declared, 'application'>): string {
  return keyOf(application)
}

function textOf({ message, at }: ProblemFacts): string {
  return `${at === undefined ? '' : placeText(at)} ${message}`
}

/** Why one that was not found does not count as gone. */
export function hiddenBy([first]: readonly ProblemFacts[]): ProblemFacts {
  const why = first === undefined ? '' : `: ${first.message}`
  return troubleOf({
    code: 'not_found',
    message: `it was not found, but not everything in its source could be read${why}`,
    suggestion: first?.suggestion ?? 'it is left as it is',
    at: first?.at,
  })
}
