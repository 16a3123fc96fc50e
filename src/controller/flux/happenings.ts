/** What happens in runs and to sources, as events on the objects that they belong to. */
import type { Event } from '#model/event.ts'
import type { Plan, Step } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { ServiceEvent, SourceStatus } from '#model/service.ts'
import { sentenceOf } from '../backoff.ts'
import { refusalIn } from '../refusals.ts'
import type { ClusterEvents } from './cluster-events.ts'
import type { FluxObject } from './kinds.ts'

export type HappeningParts = {
  readonly events: ClusterEvents
  /** By the key of the application. */
  readonly setOf: (key: string) => FluxObject | undefined
  /** Why its files can't be built. */
  readonly faultOf: (key: string) => ProblemFacts | undefined
  /** Those that follow this branch of this repository, with the revision in words. */
  readonly gitsOf: (status: SourceStatus) => readonly Following[]
}

export type Following = { readonly one: FluxObject; readonly revision: string }

const words: Readonly<Record<Step, string>> = {
  create: 'created',
  update: 'configured',
  replace: 'recreated',
  delete: 'deleted',
}

export function happeningsOf({ events, setOf, faultOf, gitsOf }: HappeningParts) {
  const plans = new Map<string, Plan>()
  const troubles = new Map<string, string>()
  const artifacts = new Map<string, string>()
  const failures = new Map<string, string>()
  const faults = new Map<string, string>()

  function ended(key: string, one: FluxObject, end: Event & { readonly type: 'ended' }): void {
    const plan = plans.get(key)
    const trouble = troubles.get(key) ?? 'the run failed'
    plans.delete(key)
    troubles.delete(key)
    if (end.outcome === 'interrupted') return
    const seconds = (end.milliseconds / 1000).toFixed(1)
    if (end.outcome !== 'succeeded') {
      const back = end.isRolledBack ? '; rolled back to the last good state' : ''
      const reason = end.isRolledBack ? 'RolledBack' : 'ReconciliationFailed'
      return events.tell(one, 'Warning', reason, `${trouble}${back}`)
    }
    const changes = (plan?.groups ?? []).map(({ ref, step }) => `${shown(ref)} ${words[step]}`)
    if (changes.length === 0) return
    events.tell(one, 'Normal', 'Progressing', changes.join('\n'))
    events.tell(one, 'Normal', 'ReconciliationSucceeded', `Reconciliation finished in ${seconds}s`)
  }

  function ran(key: string, event: Event): void {
    const one = setOf(key)
    if (one === undefined) return
    if (event.type === 'planned') {
      plans.set(key, event.plan)
      const refused = refusalIn(event.plan)
      if (refused !== undefined) troubles.set(key, textOf(refused))
    }
    if (event.type === 'problem' && !troubles.has(key)) troubles.set(key, textOf(event.problem))
    if (event.type === 'group' && event.phase === 'failed' && event.problem !== undefined) {
      const { message, details = [] } = event.problem
      const name = shown(event.ref)
      const isNamed = message.includes(name.replace('/', ' '))
      troubles.set(key, [isNamed ? message : `${name}: ${message}`, ...details].join('\n'))
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
      events.tell(one, 'Normal', 'NewArtifact', text, revision)
    }
  }

  function stands(key: string): void {
    const fault = faultOf(key)
    const text = fault === undefined ? '' : textOf(fault)
    const one = setOf(key)
    if (one === undefined || (faults.get(key) ?? '') === text) return
    faults.set(key, text)
    if (text !== '' && !one.isSuspended) events.tell(one, 'Warning', 'BuildFailed', text)
  }

  return function hear(event: ServiceEvent): void {
    if (event.type === 'run') ran(event.key, event.event)
    if (event.type === 'app') stands(event.status.key)
    if (event.type === 'source') asked(event.status)
  }
}

function textOf(problem: ProblemFacts): string {
  return [sentenceOf(problem), ...(problem.details ?? [])].join('\n')
}

/** `Deployment.apps/default/web` → `Deployment/default/web`, as Flux has it. */
function shown(ref: Ref): string {
  const slash = ref.indexOf('/')
  return `${ref.slice(0, slash).split('.', 1)[0]}${ref.slice(slash)}`
}
