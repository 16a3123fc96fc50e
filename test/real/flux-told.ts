/** What a controller says of a Kustomization, without what differs in every run: times, ids, how long something took. */
import type { Live } from '../testbed/flux-world.ts'

export type Told = {
  /** `Ready True ReconciliationSucceeded Applied revision: …` */
  readonly conditions: readonly string[]
  readonly inventory: readonly string[]
  /** Revisions and generations. */
  readonly fields: readonly string[]
  /** Each sort once: `Normal Progressing ConfigMap/scenarios/a created`. */
  readonly events: readonly string[]
}

/** Conditions that say more than Flux, with the reason in docs/kubernetes.md. */
const ownWords = new Set(['BuildFailed', 'HealthCheckFailed', 'DependencyNotReady'])

export function told(one: Live, events: readonly Live[]): Told {
  const { status = {}, metadata, spec } = one
  const conditions: readonly Live[] = status.conditions ?? []
  const isWell = conditions.some(({ type, status: now }) => type === 'Ready' && now === 'True')
  const isWaiting = conditions.some(({ reason }) => reason === 'DependencyNotReady')
  const isChecked = spec.wait === true || spec.healthChecks !== undefined
  return {
    conditions: conditions
      .filter(({ type }) => type !== 'Healthy' || isChecked)
      // Flux marks only some of what it tries again
      .filter(({ type }) => type !== 'Reconciling' || !isWaiting)
      .map(conditionText)
      .toSorted(),
    inventory: (status.inventory?.entries ?? [])
      .map((entry: Live) => `${entry.id} ${entry.v}`)
      .toSorted(),
    fields: [
      `applied ${plain(status.lastAppliedRevision ?? '')}`,
      `attempted ${plain(status.lastAttemptedRevision ?? '')}`,
      // Flux leaves it behind while something fails; here a failure of this generation says so
      ...(isWell ? [`observed ${status.observedGeneration === metadata.generation}`] : []),
      `finalizers ${metadata.finalizers.join(' ')}`,
    ],
    events: withoutTwins(
      events.filter((event) => event.involvedObject.name === metadata.name).flatMap(eventTexts),
    ),
  }
}

/** Flux tells a failed build with its revision, and once more without it. */
function withoutTwins(texts: readonly string[]): readonly string[] {
  const all = [...new Set(texts)]
  const isTwin = (text: string): boolean =>
    text.endsWith('; ]') &&
    all.some((other) => other !== text && other.startsWith(text.slice(0, -1)))
  return all.filter((text) => !isTwin(text)).toSorted()
}

function conditionText({ type, status, reason, message, observedGeneration }: Live): string {
  const isOwn = ownWords.has(reason) || reason === 'ProgressingWithRetry'
  const seen = observedGeneration > 0 ? '' : ' (not observed)'
  return `${type} ${status} ${reason}${isOwn ? '' : ` ${plain(message)}`}${seen}`
}

function eventTexts({
  type,
  reason,
  message,
  source,
  metadata,
  reportingComponent,
}: Live): string[] {
  const from = source?.component ?? reportingComponent
  const keys = Object.keys(metadata.annotations ?? {})
    .toSorted()
    .join(' ')
  const about = ` [${from}; ${keys}]`
  // while a source has no artifact yet Flux only logs it
  if (reason === 'ArtifactFailed') return []
  if (type === 'Warning') return [`${type} ${reason}${about}`]
  if (reason !== 'Progressing') return [`${type} ${reason} ${plain(message)}${about}`]
  // of what changed each object counts, in whichever order and however many at once
  return message.split('\n').map((line: string) => `${type} ${reason} ${plain(line)}${about}`)
}

function plain(text: string): string {
  return text
    .replace(/^(Health check passed).*$/, '$1')
    .replace(/^(Dependencies do not meet ready condition).*$/s, '$1')
    .replaceAll(/\b[0-9a-f]{40}\b/g, 'COMMIT')
    .replaceAll(/\b(?:\d+(?:\.\d+)?(?:h|ms|µs|m|s))+\b/g, 'TIME')
}

/** With TEND_FLUX_SHOW, for whoever looks into a difference. */
export function show(who: string, told: ReadonlyMap<string, Told>): void {
  if (process.env['TEND_FLUX_SHOW'] === undefined) return
  console.log(`${who} ${JSON.stringify([...told], null, 1)}`)
}
