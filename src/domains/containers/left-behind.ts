/** What an application left behind when it came from another source is not for the one that has its name now. */
import { judge, type Ask, type Rule } from '#model/policy.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { recordOf, textOf, textsOf } from '#model/read-json.ts'
import { kindOf } from '#model/ref.ts'
import type { Observed, Present, Resource } from '#model/resource.ts'
import type { Ref } from '#model/ref.ts'
import type { Confinement } from './confinement.ts'
import { sourceLabel, type Labels } from './record.ts'

/** For the live state of a volume or a network. */
export function sourceIn(labels: Labels): { readonly source?: string } {
  const source = labels[sourceLabel]
  return source === undefined ? {} : { source }
}

/** The same world, in which what another source left is refused. Nothing is said of what is not wanted. */
export function withLeftBehind(
  world: ReadonlyMap<Ref, Observed>,
  wanted: readonly Resource[],
  confinement: Confinement,
): ReadonlyMap<Ref, Observed> {
  const refused = new Map<Ref, Observed>()
  for (const resource of wanted) {
    const seen = world.get(resource.ref)
    if (seen?.kind !== 'present' || seen.isGiven === true || seen.forecast !== undefined) continue
    const problem = problemOf(resource, seen, confinement)
    if (problem !== undefined) {
      refused.set(resource.ref, { ...seen, forecast: { kind: 'refused', problem } })
    }
  }
  return refused.size === 0 ? world : new Map([...world, ...refused])
}

function problemOf(
  { ref, origin }: Resource,
  seen: Present,
  { source, sources, key, policy }: Confinement,
): ProblemFacts | undefined {
  const kind = kindOf(ref)
  const rule = rules[kind]
  const live = recordOf(seen.live)
  // of those that earlier versions made only the disk may know
  const before = textOf(live['source']) || sources.of(key)
  if (rule === undefined || source === undefined || before === undefined || before === source) {
    return undefined
  }
  // nothing is kept in a network: only who is on it counts
  if (kind === 'network' && textsOf(live['strangers']).length === 0) return undefined
  const name = textOf(seen.outputs['object'])
  const judged = judge(policy, askForLeft(rule, `${kind} ${name}`, key, before))
  if (judged?.isDenied !== true) return undefined
  const { message, suggestion } = judged
  return { type: 'runtime', code: 'denied', ref, at: origin, message, suggestion }
}

const rules: Readonly<Record<string, Rule>> = {
  volume: 'externalVolumes',
  network: 'externalNetworks',
}

export function askForLeft(rule: Rule, what: string, key: string, before: string): Ask {
  return {
    rule,
    what: `${what}, which ${key} left behind when it came from ${before},`,
    share: `source/${before}`,
    instead: 'give the application another name, remove what was left if its data may go',
  }
}
