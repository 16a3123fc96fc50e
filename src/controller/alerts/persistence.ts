/** When failing is worth telling: not each try, but what persists; and then its end. */
import { isRecord, type Json } from '#model/json.ts'
import { isUnwell, type AppStatus } from '#model/service.ts'

/** Of an application that is not well. */
export type Trouble = {
  readonly since: number
  readonly failures: number
  readonly isTold: boolean
}

export type Limits = {
  readonly failures: number
  /** ms */
  readonly after: number
}

export type Judged = {
  readonly trouble: Trouble | undefined
  readonly tells: 'failing' | 'recovered' | undefined
  /** When to look again though nothing changed, ms. */
  readonly due: number | undefined
}

export function decideAlert(
  before: Trouble | undefined,
  status: Pick<AppStatus, 'state' | 'failures' | 'desired' | 'health'>,
  now: number,
  limits: Limits,
): Judged {
  const { state, failures, desired, health } = status
  const isUnwellNow = isUnwell(status)
  if (before !== undefined && !isUnwellNow && isUnsettled(status)) {
    return { trouble: before, tells: undefined, due: undefined }
  }
  if ((state === 'synced' || state === 'drifted') && !isUnwellNow) {
    const tells = before?.isTold === true ? 'recovered' : undefined
    return { trouble: undefined, tells, due: undefined }
  }
  // gone, and not by failing
  if (state === 'missing' && desired === undefined) return wellAgain
  const isFailing = state === 'failed' || (isUnwellNow && state !== 'missing')
  if (before === undefined && !isFailing) return wellAgain
  const trouble = {
    // a clock that was set back makes nobody wait longer
    since: Math.min(before?.since ?? now, now),
    failures: Math.max(isFailing ? Math.max(failures, 1) : 0, before?.failures ?? 0),
    isTold: before?.isTold ?? false,
  }
  const isHeld = state === 'suspended' || state === 'deleting'
  if (trouble.isTold || isHeld) return { trouble, tells: undefined, due: undefined }
  const isEnough = trouble.failures >= limits.failures || health.isGivenUp
  if (isEnough || now - trouble.since >= limits.after) {
    return { trouble: { ...trouble, isTold: true }, tells: 'failing', due: undefined }
  }
  return { trouble, tells: undefined, due: trouble.since + limits.after }
}

/** Neither well nor unwell yet: what was restarted is well when it has shown it. */
function isUnsettled({ state, health }: Pick<AppStatus, 'state' | 'health'>): boolean {
  return state === 'synced' && health.state === 'progressing'
}

const wellAgain: Judged = { trouble: undefined, tells: undefined, due: undefined }

export function troubleFrom(note: Json | undefined): Trouble | undefined {
  if (!isRecord<Json>(note)) return undefined
  const { since, failures, isTold } = note
  if (typeof since !== 'number' || typeof failures !== 'number') return undefined
  return { since, failures, isTold: isTold === true }
}
