/** Names that other applications of the engine have by themselves: nobody takes them first by writing them down. */
import type { Confinement } from '#domains/containers/confinement.ts'
import { judge, type Rule } from '#model/policy.ts'
import type { ProblemFacts } from '#model/problem.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Observed, Resource } from '#model/resource.ts'
import type { Memory } from '../memory.ts'
import { networkSpecOf, serviceSpecOf, volumeSpecOf } from '../spec-of.ts'

type Neighbours = Pick<Confinement, 'key' | 'neighbour'>

/** What a resource is to be called, and what it would be called if the file named nothing. */
type Named = { readonly name: string; readonly usual: string }

/** The same world, in which a name of another application is refused. What has its name already keeps it. */
export function withoutNamesOfOthers(
  world: ReadonlyMap<Ref, Observed>,
  wanted: readonly Resource[],
  confinement: Confinement,
  memory: Pick<Memory, 'usualNames'>,
): ReadonlyMap<Ref, Observed> {
  const refused = new Map<Ref, Observed>()
  const usual = new Set<string>()
  for (const resource of wanted) {
    const named = resource.problems.length === 0 ? namedIn(resource) : undefined
    if (named === undefined) continue
    const { name } = named
    const place = `${kindOf(resource.ref)} ${name}`
    const isUsual = name === named.usual
    if (isUsual) usual.add(place)
    const seen = world.get(resource.ref) ?? { kind: 'absent' }
    if (seen.kind === 'unknown' || seen.forecast?.kind === 'refused') continue
    if (seen.kind === 'present' && seen.outputs['object'] === name) continue
    const other = isUsual
      ? memory.usualNames.users(place).find((key) => confinement.neighbour(key)?.comes === 'first')
      : whoseName(confinement, name)
    if (other === undefined) continue
    const problem = problemOf(resource, name, other, confinement)
    if (problem === undefined) continue
    refused.set(resource.ref, { ...seen, forecast: { kind: 'refused', problem } })
  }
  memory.usualNames.note(confinement.key, usual)
  return refused.size === 0 ? world : new Map([...world, ...refused])
}

/**
 * The key of the application whose name a text begins with, the longest where there are several; undefined: its own, or nobody's. One that
 * comes later has no say: else a folder of another source could forbid names by what it is called.
 */
export function whoseName({ key, neighbour }: Neighbours, name: string): string | undefined {
  const kind = key.slice(0, key.indexOf(':'))
  for (let at = name.length - 1; at > 0; at -= 1) {
    if (name[at] !== '_' && name[at] !== '-') continue
    const other = `${kind}:${name.slice(0, at)}`
    if (other === key) return undefined
    const { comes = 'later' } = neighbour(other) ?? {}
    if (comes !== 'later') return other
  }
  return undefined
}

/** Undefined of what is external, which is another's by declaration. */
function namedIn({ ref, spec }: Resource): Named | undefined {
  if (kindOf(ref) === 'container') {
    const { object, about } = serviceSpecOf(spec)
    return { name: object, usual: `${about.project}-${about.service}-${about.number}` }
  }
  const { object, isExternal, about } =
    kindOf(ref) === 'network' ? networkSpecOf(spec) : volumeSpecOf(spec)
  return isExternal ? undefined : { name: object, usual: `${about.project}_${about.name}` }
}

const rules: Readonly<Record<string, Rule>> = {
  volume: 'externalVolumes',
  network: 'externalNetworks',
  container: 'externalNetworks',
}

function problemOf(
  { ref, origin }: Resource,
  name: string,
  other: string,
  { policy }: Confinement,
): ProblemFacts | undefined {
  const kind = kindOf(ref)
  const judged = judge(policy, {
    rule: rules[kind] ?? 'externalNetworks',
    what: `a ${kind} named ${name}, which is a name of ${other},`,
    share: `${kind}/${name}`,
    instead: `give it a name that does not begin with that of another application`,
  })
  if (judged?.isDenied !== true) return undefined
  const { message, suggestion } = judged
  return { type: 'runtime', code: 'denied', ref, at: origin, message, suggestion }
}
