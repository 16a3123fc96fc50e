/** What happens in runs and to sources, as events on the objects that they belong to. */
import type { Event } from '#model/event.ts'
import type { Plan, Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { textOf as textIn } from '#model/read-json.ts'
import { millisecondsOf } from '#domains/kustomizations/spec-schema.ts'
import type { AppStatus, ServiceEvent, SourceStatus } from '#model/service.ts'
import { sentenceOf } from '../decide/backoff.ts'
import { refusalIn } from '../guards/refused-plan.ts'
import type { ClusterEvents } from './cluster-events.ts'
import type { FluxObject } from './kinds.ts'
import { dependencyText, unhealthy } from './kustomization-status.ts'

export type EventRecorderParts = {
  readonly events: ClusterEvents
  /** By the key of the application. */
  readonly setOf: (key: string) => FluxObject | undefined
  /** What was tried last of it, in words. */
  readonly revisionOf: (key: string) => string | undefined
  /** Why its files can't be built. */
  readonly faultOf: (key: string) => ProblemFacts | undefined
  /** Those that follow this branch of this repository, with the revision in words. */
  readonly gitsOf: (status: SourceStatus) => readonly Following[]
}

export type Following = { readonly one: FluxObject; readonly revision: string }

const words: Readonly<Record<Step, string>> = {
  create: 'created',
  update: 'configured',
  // as Flux has it: the old one is gone when it is made
  replace: 'created',
  delete: 'deleted',
}

export function createEventRecorder(parts: EventRecorderParts) {
  const { events, setOf, faultOf, gitsOf, revisionOf } = parts
  const plans = new Map<string, Plan>()
  const troubles = new Map<string, string>()
  const reasons = new Map<string, string>()
  /** By application: what a run has changed so far. */
  const made = new Map<string, Set<Ref>>()
  /** By application: the revision whose success was told. */
  const succeeded = new Map<string, string>()
  const artifacts = new Map<string, string>()
  const failures = new Map<string, string>()
  const faults = new Map<string, string>()
  const waiting = new Set<string>()

  function ended(key: string, one: FluxObject, end: Event & { readonly type: 'ended' }): void {
    const plan = plans.get(key)
    const trouble = troubles.get(key) ?? 'the run failed'
    plans.delete(key)
    troubles.delete(key)
    const reason = reasons.get(key) ?? 'ReconciliationFailed'
    reasons.delete(key)
    const done = made.get(key)
    made.delete(key)
    // what can't be built is told as that
    const isSuperseded = reason === canceled
    if ((end.outcome === 'interrupted' && !isSuperseded) || faultOf(key) !== undefined) return
    const revision = revisionOf(key)
    const isGood = end.outcome === 'succeeded'
    const groups = (plan?.groups ?? []).filter(({ ref }) => isGood || done?.has(ref) === true)
    const changes = groups.map(({ ref, step }) => `${shown(ref)} ${words[step]}`)
    const isKept = isGood || !end.isRolledBack
    if (changes.length > 0 && isKept) {
      events.tell(one, 'Normal', 'Progressing', changes.join('\n'), { revision })
    }
    if (isSuperseded) {
      const text = 'Health checks canceled due to new reconciliation'
      return events.tell(one, 'Normal', reason, text, { revision })
    }
    if (!isGood) {
      const back = end.isRolledBack ? '; rolled back to the last good state' : ''
      succeeded.delete(key)
      return events.tell(one, 'Warning', reason, `${trouble}${back}`, { revision })
    }
    if (changes.length === 0) return
    if (revision !== undefined) succeeded.set(key, revision)
    const seconds = (end.milliseconds / 1000).toFixed(1)
    const isChecked = one.spec['wait'] === true || one.spec['healthChecks'] !== undefined
    if (isChecked) {
      events.tell(one, 'Normal', 'Progressing', `Health check passed in ${seconds}s`, { revision })
    }
    finished(one, `Reconciliation finished in ${seconds}s`, revision)
  }

  function finished(one: FluxObject, text: string, revision: string | undefined): void {
    const next = millisecondsOf(textIn(one.spec['interval']))
    const when = next === undefined ? '' : `, next run in ${durationText(next)}`
    const about = { revision, isUpdate: true }
    events.tell(one, 'Normal', 'ReconciliationSucceeded', `${text}${when}`, about)
  }

  /** A revision that changes nothing of it is applied all the same: whoever waits for its commit status hears so. */
  function applied(status: AppStatus): void {
    const one = setOf(status.key)
    const revision = revisionOf(status.key)
    if (status.state !== 'synced' || one === undefined || revision === undefined) return
    const before = succeeded.get(status.key)
    succeeded.set(status.key, revision)
    const isKnown = before === revision || one.status['lastAppliedRevision'] === revision
    if (!isKnown && status.desired?.hash === status.synced?.hash) {
      finished(one, 'Reconciliation finished in 0s', revision)
    }
  }

  function ran(key: string, event: Event): void {
    const one = setOf(key)
    if (one === undefined) return
    if (event.type === 'planned') {
      plans.set(key, event.plan)
      const refused = refusalIn(event.plan)
      if (refused !== undefined) troubles.set(key, textOf(refused))
    }
    if (event.type === 'problem' && !troubles.has(key)) {
      troubles.set(key, textOf(event.problem))
      reasons.set(key, reasonFor(event.problem, 'update'))
    }
    if (event.type === 'group' && event.phase === 'failed' && event.problem !== undefined) {
      const { message, details = [] } = event.problem
      reasons.set(key, reasonFor(event.problem, event.step))
      const name = shown(event.ref)
      const isNamed = message.includes(name.replace('/', ' '))
      troubles.set(key, [isNamed ? message : `${name}: ${message}`, ...details].join('\n'))
    }
    if (event.type === 'operation' && event.phase === 'done' && event.part === 'make') {
      made.set(key, (made.get(key) ?? new Set()).add(event.ref))
    }
    if (event.type === 'ended') ended(key, one, event)
  }

  function asked(status: SourceStatus): void {
    for (const { one, revision } of gitsOf(status)) {
      const before = artifacts.get(one.key)
      const failure = status.problem === undefined ? '' : sentenceOf(status.problem)
      if (failure !== '' && failures.get(one.key) !== failure) {
        events.tell(one, 'Warning', 'GitOperationFailed', failure)
      }
      failures.set(one.key, failure)
      if (failure !== '' || status.revision === '' || before === revision) continue
      artifacts.set(one.key, revision)
      const kept = JSON.stringify(one.status['artifact'] ?? '')
      if (before === undefined && kept.includes(`"${revision}"`)) continue
      const text = `stored artifact for commit '${status.message}'`
      events.tell(one, 'Normal', 'NewArtifact', text, { revision })
    }
  }

  function stands(key: string): void {
    const fault = faultOf(key)
    const text = fault === undefined ? '' : textOf(fault)
    const one = setOf(key)
    if (one === undefined || (faults.get(key) ?? '') === text) return
    faults.set(key, text)
    const about = { revision: revisionOf(key) }
    if (text !== '' && !one.isSuspended) events.tell(one, 'Warning', 'BuildFailed', text, about)
  }

  /** Once, when it begins to wait. */
  function waits({ key, state, reason }: AppStatus): void {
    const one = setOf(key)
    const isWaiting = state !== 'failed' && reason.startsWith('waits for kustomization:')
    const before = waiting.has(key)
    if (isWaiting) waiting.add(key)
    else waiting.delete(key)
    if (!isWaiting || before || one === undefined || one.isSuspended) return
    const text = `Dependencies do not meet ready condition: ${dependencyText(reason.slice(10))}`
    events.tell(one, 'Normal', 'DependencyNotReady', text, { revision: revisionOf(key) })
  }

  return function hear(event: ServiceEvent): void {
    if (event.type === 'run') ran(event.key, event.event)
    if (event.type === 'app') {
      stands(event.status.key)
      applied(event.status)
      waits(event.status)
    }
    if (event.type === 'source') asked(event.status)
  }
}

const canceled = 'HealthCheckCanceled'

/** As Go writes it: `10m0s`. */
function durationText(milliseconds: number): string {
  const all = Math.round(milliseconds / 1000)
  const [hours, minutes, seconds] = [Math.floor(all / 3600), Math.floor(all / 60) % 60, all % 60]
  const most = hours > 0 ? `${hours}h${minutes}m` : minutes > 0 ? `${minutes}m` : ''
  return `${most}${seconds}s`
}

function reasonFor({ code }: ProblemFacts, step: Step): string {
  if (step === 'delete') return 'PruneFailed'
  if (code === 'superseded') return canceled
  return unhealthy.has(code) ? 'HealthCheckFailed' : 'ReconciliationFailed'
}

function textOf(problem: ProblemFacts): string {
  return [sentenceOf(problem), ...(problem.details ?? [])].join('\n')
}

/** `Deployment.apps/default/web` → `Deployment/default/web`, as Flux has it. */
function shown(ref: Ref): string {
  const slash = ref.indexOf('/')
  return `${ref.slice(0, slash).split('.', 1)[0]}${ref.slice(slash)}`
}
