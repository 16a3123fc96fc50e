/** The answer: a status, a sentence on it, and the condition that a controller would write. */

export type StatusName = 'InProgress' | 'Failed' | 'Current' | 'Terminating'

export type StatusCondition = {
  readonly type: 'Reconciling' | 'Stalled'
  readonly status: 'True'
  readonly reason: string
  readonly message: string
}

export type Status = {
  readonly status: StatusName
  readonly message: string
  readonly conditions: readonly StatusCondition[]
}

export type StatusOptions = {
  /** The time it is, as ISO text or milliseconds: some states are failures only after a while. */
  readonly now: string | number
  /** `flux-job`: a Job that runs is in progress, and a suspended one is done. */
  readonly variant?: 'flux-job' | undefined
}

/** Only what has a reason gets a condition; `detail` when the condition says more than the sentence. */
export function of(status: StatusName, message: string, reason?: string, detail = message): Status {
  if (reason === undefined) return { status, message, conditions: [] }
  const type = status === 'Failed' ? 'Stalled' : 'Reconciling'
  return { status, message, conditions: [{ type, status: 'True', reason, message: detail }] }
}

export function inProgress(reason: string, message: string): Status {
  return of('InProgress', message, reason)
}
