/** The policy of an application, from what is said of it and what is said of all. */
import type { AppPolicy, Window } from '#model/declaration.ts'
import { denyAll, rules, rulingAll, type Policy } from '#model/policy.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import type { PolicyData, SecurityData, WindowData } from './policy-schema.ts'
import { durationOf } from '#kinds/duration.ts'

export function policyOf(data: PolicyData, defaults: AppPolicy = usualPolicy): AppPolicy {
  return {
    interval: intervalOf(data.interval) ?? defaults.interval,
    suspended: data.suspended ?? defaults.suspended,
    prune: data.prune ?? defaults.prune,
    drift: data.drift ?? defaults.drift,
    flagsEverything: defaults.flagsEverything,
    rollback: data.rollback ?? defaults.rollback,
    ...healthOf(data, defaults),
    ...adoptOf(data, defaults),
    ...ignoreOf(data, defaults),
    windows: data.windows?.map(windowOf) ?? defaults.windows,
    dependsOn: data.dependsOn ?? defaults.dependsOn,
    timeout: msOf(data.timeout) ?? defaults.timeout,
    concurrency: data.concurrency ?? defaults.concurrency,
    ...labelsOf(data, defaults),
    ...decryptionOf(data, defaults),
    security: data.security === undefined ? defaults.security : securityOf(data.security),
  }
}

/** Settings of one application come before the settings for all. */
function labelsOf(data: PolicyData, defaults: AppPolicy): Pick<AppPolicy, 'labels'> {
  if (data.labels === undefined && defaults.labels === undefined) return {}
  return { labels: { ...defaults.labels, ...data.labels } }
}

function ignoreOf(data: PolicyData, defaults: AppPolicy): Pick<AppPolicy, 'ignore'> {
  const ignore = data.ignore ?? defaults.ignore
  return ignore === undefined ? {} : { ignore }
}

function decryptionOf(data: PolicyData, defaults: AppPolicy): Pick<AppPolicy, 'decryption'> {
  const decryption = data.decryption ?? defaults.decryption
  return decryption === undefined ? {} : { decryption }
}

function healthOf(
  { health, probation }: PolicyData,
  defaults: AppPolicy,
): Pick<AppPolicy, 'health' | 'probation'> {
  const [what, span] = [health ?? defaults.health, msOf(probation) ?? defaults.probation]
  return {
    ...(what === undefined ? {} : { health: what }),
    ...(span === undefined ? {} : { probation: span }),
  }
}

function adoptOf(
  { adopt, keepImages }: PolicyData,
  defaults: AppPolicy,
): Pick<AppPolicy, 'adopt' | 'keepImages'> {
  const [which, keep] = [adopt ?? defaults.adopt, keepImages ?? defaults.keepImages]
  return {
    ...(which === undefined ? {} : { adopt: which }),
    ...(keep === undefined ? {} : { keepImages: keep }),
  }
}

export function msOf(duration: string | number | undefined): number | undefined {
  return duration === undefined ? undefined : durationOf(duration)
}

function intervalOf(interval: PolicyData['interval']): number | undefined {
  return interval === 'off' ? 0 : msOf(interval)
}

function windowOf({ schedule, duration, timezone, action }: WindowData): Window {
  return {
    schedule,
    duration: durationOf(duration) ?? 0,
    timezone: timezone ?? 'UTC',
    action: action ?? 'allow',
  }
}

/** Whatever a map does not name stays denied. */
function securityOf(data: SecurityData): Policy {
  if (typeof data === 'string') return rulingAll(data)
  const { allowedRoots = [], shared = [], harmlessVariables, secretVariables, ...rulings } = data
  const { capabilities = 'deny' } = rulings
  const known = rules.flatMap((rule) => {
    const ruling = rulings[rule]
    return ruling === undefined ? [] : [[rule, ruling] as const]
  })
  // whoever allowed all capabilities allowed the harmless ones too
  const before = { ...denyAll, containedCapabilities: capabilities }
  return {
    ...before,
    ...Object.fromEntries(known),
    allowedRoots,
    shared,
    ...(harmlessVariables === undefined ? {} : { harmlessVariables }),
    ...(secretVariables === undefined ? {} : { secretVariables }),
  }
}
