/** Holds what a chart declares against the policy: the same words as for stacks. */
import { join } from 'node:path/posix'
import type { YamlPath } from '#formats/yaml/find-node.ts'
import { nestedIn, type Bind } from '#model/nested-binds.ts'
import { asksOfVolume } from '#model/policy-volumes.ts'
import {
  asksOfCapability,
  asksOfLabels,
  asksOfLimits,
  asksOfLogging,
  asksOfNetwork,
  asksOfParameters,
} from '#model/engine-option-rules.ts'
import { asksOfImage } from '#model/image-name-rules.ts'
import { asksOfPath, judge, type Ask, type Policy } from '#model/policy.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Declaration, Declarations } from './declaration.ts'
import { volumeSource } from './volume-spec.ts'

export type Judged = {
  /** They stop the run: what is denied is not done in parts either. */
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
}

type PlacedAsk = Ask & { readonly path: YamlPath }

export function judgeDeclared(declarations: Declarations, policy: Policy): Judged {
  const { container, volume, network, pod } = declarations
  const problems: ProblemFacts[] = []
  const warnings: string[] = []
  function judgeAll(declared: Declaration, asks: Iterable<PlacedAsk>): void {
    for (const { path, ...ask } of asks) {
      const judged = judge(policy, { ...ask, what: `${declared.ref}: ${ask.what}` })
      if (judged === undefined) continue
      const { isDenied, ...told } = judged
      const at = declared.placeOf(path, typeof path.at(-1) === 'number' ? 'value' : 'key')
      if (!isDenied) warnings.push(`${placeText(at)}: ${told.message}`)
      else problems.push({ type: 'configuration', code: 'denied', at, ...told })
    }
  }
  for (const one of volume.values()) judgeAll(one, asksOfDeclared(one, policy))
  for (const one of network.values()) {
    const { driver = '', options = {}, subnet } = one.data
    const asks = asksOfNetwork(driver, texts(options), subnet === undefined ? [] : [subnet])
    judgeAll(
      one,
      asks.map((ask) => ({ ...ask, path: [networkField(ask)] })),
    )
  }
  for (const one of container.values()) judgeAll(one, asksOfContainer(one))
  for (const one of pod.values()) {
    const asks = asksOfParameters(Object.keys(one.data.sysctl ?? {}))
    judgeAll(
      one,
      asks.map((ask) => ({ ...ask, path: ['sysctl'] })),
    )
  }
  for (const { inner, outer } of nestedIn([...container.values()].flatMap(mountsIn(volume)))) {
    judgeAll(inner.container, [nestedAsk(inner, outer)])
  }
  return { problems, warnings }
}

function networkField({ rule, what }: Ask): string {
  if (rule === 'hostNamespaces') return 'subnet'
  return what.startsWith('the network option') ? 'options' : 'driver'
}

function* asksOfContainer({ data, labels }: Declaration<'container'>): Iterable<PlacedAsk> {
  for (const ask of asksOfLabels(Object.keys(labels ?? {}))) yield { ...ask, path: [] }
  // the one way of writing it that means a registry
  for (const ask of asksOfImage(data.image.replace(/^docker:\/\//, ''))) {
    yield { ...ask, path: ['image'] }
  }
  const { privileged, capabilities } = data.securityContext ?? {}
  if (privileged === true) {
    yield { rule: 'privileged', path: ['securityContext', 'privileged'], what: 'privileged' }
  }
  for (const [index, name] of (capabilities?.add ?? []).entries()) {
    const path = ['securityContext', 'capabilities', 'add', index]
    yield { ...asksOfCapability(name, 'capability'), path }
  }
  for (const [index, device] of (data.devices ?? []).entries()) {
    const host = typeof device === 'string' ? device.split(':')[0] : device.hostPath
    yield { rule: 'devices', path: ['devices', index], what: `device ${host}` }
  }
  for (const ask of asksOfParameters(Object.keys(data.sysctl ?? {}))) {
    yield { ...ask, path: ['sysctl'] }
  }
  for (const ask of asksOfLimits(Object.keys(data.ulimits ?? {}))) {
    yield { ...ask, path: ['ulimits'] }
  }
  const { driver = '', options = {} } = data.logging ?? {}
  for (const ask of asksOfLogging(driver, texts(options))) yield { ...ask, path: ['logging'] }
}

function texts(
  options: Readonly<Record<string, string | number | boolean>>,
): Readonly<Record<string, string>> {
  return Object.fromEntries(Object.entries(options).map(([name, value]) => [name, String(value)]))
}

type MountedPart = Bind & {
  readonly container: Declaration<'container'>
  readonly index: number
  readonly shown: string
}

/** Whole volumes, parts of them and paths of the host, as paths that can be compared. */
function mountsIn(
  volumes: Declarations['volume'],
): (container: Declaration<'container'>) => readonly MountedPart[] {
  return (container) =>
    (container.data.volumes ?? []).flatMap((use, index) => {
      const volume = volumes.get(use.name)
      if (volume === undefined) return []
      const from = volumeSource(volume, { mountCounts: new Map() })
      const base = from.kind === 'host' ? from.path : `volume ${use.name}`
      const path = join(base, use.subPath ?? '')
      const shown = use.subPath === undefined ? use.name : `subPath ${use.subPath} of ${use.name}`
      return [{ container, index, path, isWritable: use.readOnly !== true, shown }]
    })
}

function nestedAsk(inner: MountedPart, outer: MountedPart): PlacedAsk {
  const place = placeText(outer.container.placeOf(['volumes', outer.index], 'value'))
  const what = `${inner.shown} lies in ${outer.shown}, which ${outer.container.ref} may write (${place}); its mount`
  return {
    rule: 'outsideBinds',
    path: ['volumes', inner.index],
    what,
    instead: 'use a volume of its own for it, or mount the outer one with readOnly: true',
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
