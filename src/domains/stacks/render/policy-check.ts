/** Holds the merged model against the policy: whatever include, extends or an override brought in is in it. */
import { judge } from '#model/policy.ts'
import type { Finding } from './finding.ts'
import type { PlacedAsk } from './policy-ask.ts'
import { buildAsks } from './policy-build.ts'
import { nestedAsks } from './policy-nested.ts'
import { networkAsks, networksAsks } from './policy-networks.ts'
import { mountAsks } from './policy-mounts.ts'
import { serviceAsks } from './policy-service.ts'
import { servicesOf, type Stage } from './stage.ts'

export function policyFindings(stage: Stage): readonly Finding[] {
  const ofServices = servicesOf(stage).flatMap(([name, service]) => {
    const asks = [
      ...serviceAsks(service),
      ...networkAsks(stage, service),
      ...mountAsks(stage, service),
      ...buildAsks(stage, service),
    ]
    return asks.flatMap((ask) => {
      const path = ['services', name, ...ask.path]
      return findingOf(stage, { ...ask, what: `${name}: ${ask.what}`, path })
    })
  })
  const others = [...networksAsks(stage), ...nestedAsks(stage)]
  return [...ofServices, ...others.flatMap((ask) => findingOf(stage, ask))]
}

function findingOf({ input }: Stage, ask: PlacedAsk): readonly Finding[] {
  const judged = judge(input.policy, ask)
  if (judged === undefined) return []
  const { isDenied: isError, ...told } = judged
  return [{ path: ask.path, at: ask.at, isError, code: 'denied', ...told }]
}
