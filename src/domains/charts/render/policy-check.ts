/** Holds what a chart declares against the policy: the same words as for stacks. */
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { asksOfPath, asksOfVolume, judge, type Ask, type Policy } from '#model/policy.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Declaration, Declarations } from './declaration.ts'
import { volumeSource } from './volume-spec.ts'

export type Judged = {
  /** They stop the run: what is denied is not done in parts either. */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
}

type PlacedAsk = Ask & { readonly path: YamlPath }

export function judgeDeclared({ container, volume }: Declarations, policy: Policy): Judged {
  const problems: ProblemFacts[] = []
  const warnings: string[] = []
  function judgeAll(declared: Declaration, asks: Iterable<PlacedAsk>): void {
    for (const { rule, path, what } of asks) {
      const judged = judge(policy, { rule, what: `${declared.ref}: ${what}` })
      if (judged === undefined) continue
      const { isDenied, message, suggestion } = judged
      const at = declared.placeOf(path, 'key')
      if (!isDenied) warnings.push(`${placeText(at)}: ${message}`)
      else problems.push({ type: 'configuration', code: 'denied', message, at, suggestion })
    }
  }
  for (const one of volume.values()) judgeAll(one, asksOfDeclared(one, policy))
  for (const one of container.values()) judgeAll(one, asksOfContainer(one))
  return { problems, warnings }
}

function* asksOfContainer({ data }: Declaration<'container'>): Iterable<PlacedAsk> {
  const { privileged, capabilities } = data.securityContext ?? {}
  if (privileged === true) {
    yield { rule: 'privileged', path: ['securityContext', 'privileged'], what: 'privileged' }
  }
  for (const [index, name] of (capabilities?.add ?? []).entries()) {
    const path = ['securityContext', 'capabilities', 'add', index]
    yield { rule: 'capabilities', path, what: `capability ${name}` }
  }
  for (const [index, device] of (data.devices ?? []).entries()) {
    const host = typeof device === 'string' ? device.split(':')[0] : device.hostPath
    yield { rule: 'devices', path: ['devices', index], what: `device ${host}` }
  }
}

/** A chart has no files that lie on the host: only the operator's folders are inside. */
function asksOfDeclared(
  volume: Declaration<'volume'>,
  { allowedRoots }: Policy,
): readonly PlacedAsk[] {
  const from = volumeSource(volume, { mountCounts: new Map() })
  const at = (path: YamlPath, asks: readonly Ask[]) => asks.map((ask) => ({ ...ask, path }))
  if (from.kind === 'host') return at(['hostPath'], asksOfPath(from.path, allowedRoots))
  if (from.kind !== 'named') return []
  const field = volume.data.volume === undefined ? 'options' : 'volume'
  return at([field], asksOfVolume(from.driver, from.options ?? {}, allowedRoots))
}
