/** What `docker update` can change on a container that runs: limits and the restart policy. */
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import { limitsOf } from './operate/limits.ts'
import { restartPolicyOf } from './operate/restart-policy.ts'
import type { RecordedService } from './spec-of.ts'

/** The engine's names of them, to what a person calls them. */
const limits = {
  Memory: 'mem_limit',
  MemoryReservation: 'mem_reservation',
  MemorySwap: 'memswap_limit',
  NanoCpus: 'cpus',
  CpuShares: 'cpu_shares',
  CpuPeriod: 'cpu_period',
  CpuQuota: 'cpu_quota',
  CpusetCpus: 'cpuset',
  PidsLimit: 'pids_limit',
} as const

export type Settings = Readonly<Record<string, string | number>>

/** As an inspect tells them. */
export function settingsIn(hostConfig: unknown, limitsProcesses: boolean): Settings {
  const told = recordOf(hostConfig)
  const policy = recordOf(told['RestartPolicy'])
  const own = Object.keys(limits).map((name) => [name, plain(told[name])] as const)
  const settings = { ...Object.fromEntries(own), restart: restartText(policy) }
  // docker update --pids-limit -1 takes one away, and shows as none: not so where the kernel knows none
  const isUnlimited = limitsProcesses && numberOf(told['PidsLimit']) <= 0
  return isUnlimited ? { ...settings, PidsLimit: -1 } : settings
}

/** A field that was changed; `isGone`: there was none, and the engine can't take it back. */
export type Setting = {
  readonly name: string
  readonly path: string
  readonly from: string | number
  readonly to: string | number | null
  readonly isGone: boolean
}

/**
 * What differs. No limit where one is wanted is no change of anybody's: `docker update` can't take one away, but a kernel that knows
 * none has it left out. Swap is the engine's to choose unless the file says it.
 */
export function changedSettings(spec: RecordedService, live: Settings): readonly Setting[] {
  if (Object.keys(live).length === 0) return []
  const wanted = wantedSettings(spec)
  const changed = Object.entries(limits).flatMap(([name, path]): readonly Setting[] => {
    const [from, to] = [live[name] ?? 0, wanted[name] ?? 0]
    const isUnsaid = to === 0 || to === ''
    const isUnset = from === 0 || from === ''
    if (from === to || isUnset || (isUnsaid && (name === 'MemorySwap' || from === -1))) return []
    return [{ name, path, from, to: isUnsaid ? null : to, isGone: isUnsaid }]
  })
  const [from, to] = [live['restart'] ?? 'no', wanted['restart'] ?? 'no']
  if (from === to) return changed
  return [...changed, { name: 'RestartPolicy', path: 'restart', from, to, isGone: false }]
}

/** What the engine is told to have it as it was declared. More memory takes more swap with it, as when it was made. */
export function updateBody(spec: RecordedService, changed: readonly Setting[]): Json {
  const wanted = wantedSettings(spec)
  const own = changed
    .filter(({ name }) => name !== 'RestartPolicy')
    .map(({ name }) => [name, wanted[name] ?? 0] as const)
  const memory = numberOf(wanted['Memory'])
  const hasMemory = changed.some(({ name }) => name === 'Memory')
  return {
    ...Object.fromEntries(own),
    ...(hasMemory ? { MemorySwap: numberOf(wanted['MemorySwap']) || memory * 2 } : {}),
    ...(changed.some(({ name }) => name === 'RestartPolicy')
      ? { RestartPolicy: restartPolicyOf(spec) ?? { Name: 'no' } }
      : {}),
  }
}

function wantedSettings(spec: RecordedService): Settings {
  const made = limitsOf(spec)
  const own = Object.keys(limits).map((name) => [name, plain(made[name])] as const)
  return { ...Object.fromEntries(own), restart: restartText(recordOf(restartPolicyOf(spec))) }
}

function plain(value: unknown): string | number {
  return typeof value === 'string' ? value : numberOf(value)
}

export function restartText(policy: Readonly<Record<string, unknown>>): string {
  const name = textOf(policy['Name']) || 'no'
  const count = numberOf(policy['MaximumRetryCount'])
  return count === 0 ? name : `${name}:${count}`
}
