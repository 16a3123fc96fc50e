/** The exit code of `tend status --exit-code`, from both answers. Without the flag it is 0 when all is well, else 1. */
import type { Health, Sync } from '#model/assessment.ts'

export type StatusAnswers = {
  readonly sync?: Pick<Sync, 'state'> | undefined
  readonly health?: Pick<Health, 'state'> | undefined
  /** One word for both answers, where they are not known separately. */
  readonly state?: string
}

/** The worst first: of several applications the worst counts. */
const order = [1, 4, 5, 3, 0] as const

/** 0 as declared and well, 1 failed, 3 not as declared, 4 degraded or not well yet, 5 nobody knows. */
export function statusExitCode(all: readonly StatusAnswers[]): number {
  const found = new Set<number>(all.map(codeOf))
  return order.find((code) => found.has(code)) ?? 0
}

function codeOf({ sync, health, state }: StatusAnswers): number {
  const word = health?.state ?? state
  if (word === 'failed') return 1
  if (sync !== undefined && health !== undefined) {
    if (word === 'degraded' || word === 'progressing') return 4
    if (word === 'unknown' || sync.state === 'unknown') return 5
    return sync.state === 'synced' ? 0 : 3
  }
  return word === 'healthy' ? 0 : word === 'unknown' ? 5 : 4
}
