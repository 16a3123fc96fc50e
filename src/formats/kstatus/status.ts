/** How far a live Kubernetes object is from what its spec asks for, read from its status alone. */
import { type Condition, type Live, conditionsOf, numberAt, textAt } from './live-fields.ts'
import { rules } from './rules.ts'
import { type Status, type StatusOptions, inProgress, of } from './verdict.ts'

export type { Status, StatusCondition, StatusName, StatusOptions } from './verdict.ts'

/** First hit counts: going away, spec not seen yet, what the object says of itself, rules of its kind, Ready. */
export function statusOf(object: Live, options: StatusOptions): Status {
  if (textAt(object, ['metadata', 'deletionTimestamp']) !== '') {
    return of('Terminating', 'Resource scheduled for deletion')
  }
  const conditions = conditionsOf(object)
  return unseen(object) ?? ownWords(conditions) ?? byKind(object, options) ?? byReady(conditions)
}

function unseen(object: Live): Status | undefined {
  const wanted = numberAt(object, ['metadata', 'generation'])
  const seen = numberAt(object, ['status', 'observedGeneration'])
  if (wanted === undefined || seen === undefined || wanted === seen) return undefined
  const kind = textAt(object, ['kind'])
  const message = `${kind} generation is ${wanted}, but latest observed generation is ${seen}`
  return inProgress('LatestGenerationNotObserved', message)
}

function ownWords(conditions: readonly Condition[]): Status | undefined {
  const telling = conditions.find(
    ({ type, status }) => status === 'True' && (type === 'Reconciling' || type === 'Stalled'),
  )
  if (telling === undefined) return undefined
  if (telling.type === 'Reconciling') return inProgress(telling.reason, telling.message)
  return of('Failed', telling.message, telling.reason)
}

function byKind(object: Live, options: StatusOptions): Status | undefined {
  const apiVersion = textAt(object, ['apiVersion'])
  const group = apiVersion.includes('/') ? apiVersion.slice(0, apiVersion.indexOf('/') + 1) : ''
  const rule = rules.get(`${group}${textAt(object, ['kind'])}`)
  return rule?.(object, options)
}

function byReady(conditions: readonly Condition[]): Status {
  const ready = conditions.find(
    ({ type, status }) => type === 'Ready' && ['True', 'False', 'Unknown'].includes(status),
  )
  if (ready === undefined) return of('Current', 'Resource is current')
  if (ready.status === 'True') return of('Current', 'Resource is Ready')
  return inProgress(ready.reason, ready.message)
}
