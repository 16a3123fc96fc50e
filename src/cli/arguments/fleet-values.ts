/** The values of the flags for fleets. */
import { providers, type Provider, type Registrations } from '#model/clusters.ts'
import type { Reading } from './compose-values.ts'
import type { FlagName } from './flags.ts'
import { durationOf, wholeNumber } from './measures.ts'
import { usageProblem } from './usage.ts'
import type { Verb } from './verbs.ts'
import { defined } from '#model/defined.ts'

export type FleetFlags = {
  readonly db: string | undefined
  readonly config: string | undefined
  readonly import: string | undefined
  readonly provider: Provider | undefined
  readonly nodePort: number | undefined
  readonly pfPort: number | undefined
  readonly httpPort: number | undefined
  readonly httpsPort: number | undefined
  readonly subnet: string | null
  readonly registrations: Registrations
  readonly isFromDb: boolean
  readonly prunesMissing: boolean
  readonly recreates: boolean
  readonly historyFile: string | undefined
  readonly isLastRun: boolean
  readonly merges: boolean
  readonly isJson: boolean
  readonly loops: boolean
  readonly maxRuns: number | undefined
  /** ms */
  readonly interval: number
  readonly isAll: boolean
  readonly require: ReadonlyMap<string, number>
  readonly log: string | undefined
  readonly report: string | undefined
}

export function fleetFlagsOf({ text, isOn }: Reading, verb: Verb): FleetFlags {
  const isFleet = verb.name.startsWith('fleet ')
  function port(name: FlagName): number | undefined {
    const value = text(name)
    return value === undefined ? undefined : wholeNumber(name, value)
  }
  const isOnce = isOn('once')
  return {
    db: text('db'),
    config: text('config'),
    import: text('import'),
    provider: providerOf(text('provider')),
    nodePort: port('node-port'),
    pfPort: port('pf-port'),
    httpPort: port('http-port'),
    httpsPort: port('https-port'),
    subnet: text('subnet') ?? null,
    registrations: {
      route: isOn('route', true),
      portainer: isOn('portainer', true),
      argocd: isOn('argocd', true),
      git: isOn('git', true),
    },
    isFromDb: isOn('from-db'),
    prunesMissing: isOn('prune-missing'),
    recreates: isOn('recreate'),
    historyFile: text('history-file'),
    isLastRun: isOn('last-run'),
    merges: isOn('merge'),
    isJson: isOn('json'),
    loops: isOn('loop') || isOnce,
    maxRuns: isOnce ? 1 : port('max-runs'),
    interval: isFleet ? intervalOf(text('interval')) : 0,
    isAll: isOn('all'),
    require: requiredOf(text('require') ?? 'kind=3,k3d=3'),
    log: text('log'),
    report: text('report'),
  }
}

function providerOf(text: string | undefined): Provider | undefined {
  const found = providers.find((one) => one === text)
  if (text === undefined || found !== undefined) return found
  throw usageProblem(
    `--provider ${JSON.stringify(text)} is not known`,
    `use one of ${providers.join(', ')}`,
  )
}

/** A number without a unit is minutes, as in the original program. */
function intervalOf(text: string | undefined): number {
  if (text === undefined) return 15 * 60_000
  const length = /^\d+$/.test(text)
    ? Number(text) * 60_000
    : /^\d+d$/.test(text)
      ? Number.parseInt(text, 10) * 86_400_000
      : durationOf('interval', text)
  if (length > 0) return length
  throw usageProblem(`--interval ${text} is no pause between passes`, 'write it like 15m')
}

function requiredOf(text: string): ReadonlyMap<string, number> {
  const pairs = text.split(',').map((part) => /^([a-z0-9]+)=(\d{1,4})$/.exec(part.trim()))
  const strange = pairs.find((pair) => !providers.some((one) => one === (pair?.[1] ?? one)))
  if (strange !== undefined) {
    const known = `use ${providers.join(', ')}`
    throw usageProblem(`--require names ${strange?.[1]}, which is no provider`, known)
  }
  if (pairs.every((pair) => pair !== null)) {
    return new Map(pairs.map((pair) => [defined(pair[1]), Number(pair[2])]))
  }
  throw usageProblem(`--require ${text} says no counts`, 'write it like --require kind=3,k3d=3')
}
