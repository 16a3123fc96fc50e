/** Pods and Jobs: the kinds that end, and that can fail for good. */
import { type Live, conditionsOf, listAt, numberAt, textAt, valueAt } from './live-fields.ts'
import { type Status, type StatusOptions, inProgress, of } from './verdict.ts'

/** How long a scheduler may look for a node. */
const scheduleWindow = 15_000

export function podStatus(object: Live, options: StatusOptions): Status {
  const phase = textAt(object, ['status', 'phase'])
  switch (phase) {
    case 'Succeeded':
      return of('Current', 'Pod has completed successfully')
    case 'Failed':
      return of('Current', 'Pod has completed, but not successfully')
    case 'Running':
      return running(object)
    case 'Pending':
      return pending(object, options)
    case '':
      return inProgress('PodNotObserved', 'Pod phase not available')
    default:
      throw new Error(`unknown phase ${phase}`)
  }
}

function running(object: Live): Status {
  const isReady = conditionsOf(object).some(
    ({ type, status }) => type === 'Ready' && status === 'True',
  )
  if (isReady) return of('Current', 'Pod is Ready')
  const crashing = listAt(object, ['status', 'containerStatuses'])
    .filter((one) => textAt(one, ['state', 'waiting', 'reason']) === 'CrashLoopBackOff')
    .flatMap((one) => textAt(one, ['name']) || [])
  if (crashing.length > 0) {
    const names = crashing.join(',')
    return of('Failed', `Containers in CrashLoop state: ${names}`, 'ContainerCrashLooping')
  }
  return inProgress('PodRunningNotReady', 'Pod is running but is not Ready')
}

function pending(object: Live, options: StatusOptions): Status {
  const unscheduled = conditionsOf(object).find(
    ({ type, status }) => type === 'PodScheduled' && status === 'False',
  )
  if (unscheduled?.reason !== 'Unschedulable') {
    return inProgress('PodPending', 'Pod is in the Pending phase')
  }
  const created = Date.parse(textAt(object, ['metadata', 'creationTimestamp']))
  const now = typeof options.now === 'number' ? options.now : Date.parse(options.now)
  if (now - scheduleWindow < created) {
    return inProgress('PodNotScheduled', 'Pod has not been scheduled')
  }
  return of('Failed', 'Pod could not be scheduled', 'PodUnschedulable')
}

export function jobStatus(object: Live, options: StatusOptions): Status {
  const count = (name: string): number => numberAt(object, ['status', name]) ?? 0
  const isSuspended = valueAt(object, ['spec', 'suspend']) === true
  const isStrict = options.variant === 'flux-job'
  if (isStrict && isSuspended) return of('Current', 'Job is suspended')
  const wants =
    numberAt(object, ['spec', 'completions']) ?? numberAt(object, ['spec', 'parallelism']) ?? 1
  for (const { type, status } of conditionsOf(object)) {
    if (status !== 'True') continue
    if (type === 'Complete') {
      return of('Current', `Job Completed. succeeded: ${count('succeeded')}/${wants}`)
    }
    if (type === 'Failed') {
      return of('Failed', `Job Failed. failed: ${count('failed')}/${wants}`, 'JobFailed')
    }
    if (type === 'Suspended' && isSuspended) return of('Current', 'Job is suspended')
  }
  if (textAt(object, ['status', 'startTime']) === '') {
    return inProgress('JobNotStarted', 'Job not started')
  }
  const figures = `success:${count('succeeded')}, active: ${count('active')}, failed: ${count('failed')}`
  const message = `Job in progress. ${figures}`
  return isStrict ? inProgress('JobInProgress', message) : of('Current', message)
}
