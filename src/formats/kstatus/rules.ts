/** What each built-in kind says about being done; kinds that are not here have to say it themselves. */
import { jobStatus, podStatus } from './pods.ts'
import { type Live, conditionsOf, numberAt, textAt } from './live-fields.ts'
import { type Status, type StatusOptions, inProgress, of } from './verdict.ts'

export type Rule = (object: Live, options: StatusOptions) => Status

export const rules: ReadonlyMap<string, Rule> = new Map<string, Rule>([
  ['ConfigMap', alwaysReady],
  ['Secret', alwaysReady],
  ['batch/CronJob', alwaysReady],
  ['Service', service],
  ['Pod', podStatus],
  ['PersistentVolumeClaim', claim],
  ['batch/Job', jobStatus],
  ['policy/PodDisruptionBudget', () => of('Current', 'AllowedDisruptions has been computed.')],
  ['apps/StatefulSet', statefulSet],
  ['apps/DaemonSet', daemonSet],
  ['extensions/DaemonSet', daemonSet],
  ['apps/Deployment', deployment],
  ['extensions/Deployment', deployment],
  ['apps/ReplicaSet', replicaSet],
  ['extensions/ReplicaSet', replicaSet],
  ['apiextensions.k8s.io/CustomResourceDefinition', definition],
])

function alwaysReady(): Status {
  return of('Current', 'Resource is always ready')
}

/** A load balancer's own address is not waited for. */
function service(object: Live): Status {
  const isBalancer = textAt(object, ['spec', 'type']) === 'LoadBalancer'
  if (isBalancer && textAt(object, ['spec', 'clusterIP']) === '') {
    return inProgress('NoIPAssigned', 'ClusterIP not set. Service type: LoadBalancer')
  }
  return of('Current', 'Service is ready')
}

function claim(object: Live): Status {
  const phase = textAt(object, ['status', 'phase'], 'unknown')
  if (phase === 'Bound') return of('Current', 'PVC is Bound')
  return inProgress('NotBound', `PVC is not Bound. phase: ${phase}`)
}

/** Numbers of the status; none counts as zero. */
function count(object: Live, name: string): number {
  return numberAt(object, ['status', name]) ?? 0
}

function wantedReplicas(object: Live): number {
  return numberAt(object, ['spec', 'replicas']) ?? 1
}

type Shortage = readonly [reason: string, word: string, has: number, wants: number]

/** The first number that has not been reached yet. */
function firstShortage(shortages: readonly Shortage[]): Status | undefined {
  const found = shortages.find(([, , has, wants]) => wants > has)
  if (found === undefined) return undefined
  const [reason, word, has, wants] = found
  return inProgress(reason, `${word}: ${has}/${wants}`)
}

function surplus(has: number, wants: number): Status | undefined {
  return has > wants ? inProgress('ExtraPods', `Pending termination: ${has - wants}`) : undefined
}

function deployment(object: Live): Status {
  const conditions = conditionsOf(object)
  const overdue = conditions.find(
    ({ type, reason }) => type === 'Progressing' && reason === 'ProgressDeadlineExceeded',
  )
  if (overdue !== undefined) {
    return of('Failed', 'Progress deadline exceeded', overdue.reason, overdue.message)
  }
  const has = (type: string, reason?: string): boolean =>
    conditions.some(
      (one) => one.type === type && one.status === 'True' && (reason ?? one.reason) === one.reason,
    )
  const [wants, replicas] = [wantedReplicas(object), count(object, 'replicas')]
  const updated = count(object, 'updatedReplicas')
  const deadline = numberAt(object, ['spec', 'progressDeadlineSeconds']) ?? unlimited
  const isProgressing = deadline === unlimited || has('Progressing', 'NewReplicaSetAvailable')
  return (
    firstShortage([
      ['LessReplicas', 'Replicas', replicas, wants],
      ['LessUpdated', 'Updated', updated, wants],
    ]) ??
    surplus(replicas, wants) ??
    firstShortage([
      ['LessAvailable', 'Available', count(object, 'availableReplicas'), updated],
      ['LessReady', 'Ready', count(object, 'readyReplicas'), wants],
    ]) ??
    (isProgressing
      ? undefined
      : inProgress('ReplicaSetNotAvailable', 'ReplicaSet not Available')) ??
    (has('Available')
      ? undefined
      : inProgress('DeploymentNotAvailable', 'Deployment not Available')) ??
    of('Current', `Deployment is available. Replicas: ${replicas}`)
  )
}

/** The largest number that fits the field, which means no deadline. */
const unlimited = 2 ** 31 - 1

function replicaSet(object: Live): Status {
  const isFailing = conditionsOf(object).some(
    ({ type, status }) => type === 'ReplicaFailure' && status === 'True',
  )
  if (isFailing) return inProgress('ReplicaFailure', 'Replica Failure condition. Check Pods')
  const [wants, replicas] = [wantedReplicas(object), count(object, 'replicas')]
  return (
    firstShortage([
      ['LessLabelled', 'Labelled', count(object, 'fullyLabeledReplicas'), wants],
      ['LessAvailable', 'Available', count(object, 'availableReplicas'), wants],
      ['LessReady', 'Ready', count(object, 'readyReplicas'), wants],
    ]) ??
    surplus(replicas, wants) ??
    of('Current', `ReplicaSet is available. Replicas: ${replicas}`)
  )
}

function statefulSet(object: Live): Status {
  if (textAt(object, ['spec', 'updateStrategy', 'type']) === 'OnDelete') {
    return of('Current', 'StatefulSet is using the ondelete update strategy')
  }
  const [wants, replicas] = [wantedReplicas(object), count(object, 'replicas')]
  const early =
    firstShortage([
      ['LessReplicas', 'Replicas', replicas, wants],
      ['LessReady', 'Ready', count(object, 'readyReplicas'), wants],
    ]) ?? surplus(replicas, wants)
  if (early !== undefined) return early
  const partition = numberAt(object, ['spec', 'updateStrategy', 'rollingUpdate', 'partition'])
  if (partition !== undefined && partition !== -1) {
    const updated = count(object, 'updatedReplicas')
    return (
      firstShortage([['PartitionRollout', 'updated', updated, wants - partition]]) ??
      of('Current', `Partition rollout complete. updated: ${updated}`)
    )
  }
  const [now, next] = ['currentRevision', 'updateRevision'].map((name) =>
    textAt(object, ['status', name]),
  )
  return (
    firstShortage([['LessCurrent', 'current', count(object, 'currentReplicas'), wants]]) ??
    (now === next
      ? of('Current', `All replicas scheduled as expected. Replicas: ${replicas}`)
      : inProgress('RevisionMismatch', 'Waiting for updated revision to match current'))
  )
}

function daemonSet(object: Live): Status {
  const kind = textAt(object, ['kind'])
  if (numberAt(object, ['metadata', 'generation']) === undefined) {
    return inProgress('NoGeneration', `${kind} metadata.generation not found`)
  }
  if (numberAt(object, ['status', 'observedGeneration']) === undefined) {
    return inProgress('NoObservedGeneration', `${kind} status.observedGeneration not found`)
  }
  const wants = numberAt(object, ['status', 'desiredNumberScheduled'])
  if (wants === undefined || wants === -1) {
    return inProgress('NoDesiredNumber', 'Missing .status.desiredNumberScheduled')
  }
  return (
    firstShortage([
      ['LessCurrent', 'Current', count(object, 'currentNumberScheduled'), wants],
      ['LessUpdated', 'Updated', count(object, 'updatedNumberScheduled'), wants],
      ['LessAvailable', 'Available', count(object, 'numberAvailable'), wants],
      ['LessReady', 'Ready', count(object, 'numberReady'), wants],
    ]) ?? of('Current', `All replicas scheduled as expected. Replicas: ${wants}`)
  )
}

function definition(object: Live): Status {
  for (const { type, status, reason, message } of conditionsOf(object)) {
    if (type === 'NamesAccepted' && status === 'False') return of('Failed', message, reason)
    if (type !== 'Established') continue
    if (status === 'False' && reason !== 'Installing') return of('Failed', message, reason)
    if (status === 'True') return of('Current', 'CRD is established')
  }
  return inProgress('Installing', 'Install in progress')
}
