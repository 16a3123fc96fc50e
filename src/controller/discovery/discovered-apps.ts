/** What all discoveries found, as one list with what is declared: a name belongs to one, and the operator's word counts first. */
import { keyOf } from '#model/application.ts'
import type { Declarations, Declared, Discovery } from '#model/declaration.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Branch } from '../sources/repository-poller.ts'
import { allApps, type RefusedBy } from '../declare/all-apps.ts'
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

/** The name of the discovery that an application came from, while there is something of it. */
export type HolderOf = (key: string) => string | undefined

export type DiscoveredApps = {
  put(discovery: Discovery, branch: Branch, found: DiscoveryResult): void
  total(declarations: Declarations, holderOf: HolderOf): Total
  /** Branches that hold a folder whose name was somebody else's and is nobody's now. Each is told once. */
  freed(holderOf: HolderOf): readonly Branch[]
}

export function createDiscoveredApps(): DiscoveredApps {
  const latest = new Map<string, Home & { readonly found: DiscoveryResult }>()
  let told: ReadonlySet<string> = new Set()
  let refusedBefore: ReadonlySet<string> = new Set()
  let waiting: readonly { readonly key: string; readonly branch: Branch }[] = []

  return {
    put: (discovery, branch, found) =>
      void latest.set(discovery.name, { discovery, branch, found }),
    freed(holderOf) {
      const free = waiting.filter(({ key }) => holderOf(key) === undefined)
      if (free.length > 0) waiting = waiting.filter((one) => !free.includes(one))
      return [...new Set(free.map(({ branch }) => branch))]
    },
    total(declarations, holderOf) {
      const names = new Set(declarations.discoveries.map(({ name }) => name))
      for (const name of latest.keys()) if (!names.has(name)) latest.delete(name)
      const homes = [...latest.values()]
      // what is only declared was looked at when it was read
      if (homes.length === 0) return nothingFound(declarations)
      const foundBy = homes.map(({ discovery, found }) => ({ by: discovery.name, found }))
      const all = allApps(declarations, foundBy, holderOf)
      const running = new Set(all.apps)
      const declaredKeys = declarations.apps.map(keyed)
      const refused = refusedIn(latest, all.refused)
      const refusedKeys = new Set(refused.map(({ refused: one }) => keyed(one)))
      const freed = new Set([...refusedBefore].filter((key) => !refusedKeys.has(key)))
      const texts = new Set(all.problems.map(textOf))
      const newProblems = all.problems.filter((problem) => !told.has(textOf(problem)))
      waiting = all.waiting.flatMap(({ key, by }) => {
        const home = latest.get(by)
        const isHeld = holderOf(key) !== undefined
        return home === undefined || !isHeld ? [] : [{ key, branch: home.branch }]
      })
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
        taken: new Set([...all.apps.map(keyed), ...declaredKeys, ...refusedKeys]),
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

function refusedIn(homes: ReadonlyMap<string, Home>, all: readonly RefusedBy[]): Total['refused'] {
  return all.flatMap(({ by, ...refused }) => {
    const home = homes.get(by)
    return home === undefined ? [] : [{ discovery: home.discovery, branch: home.branch, refused }]
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
