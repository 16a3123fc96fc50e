/** What can't be asked of an application as it stands, with what to do first. */
import { Problem } from '#model/problem.ts'
import { isSuspended } from '../decide/app-status.ts'
import type { AppState } from '../state/app-state.ts'

export function refuseSuspended(one: AppState): void {
  if (!isSuspended(one)) return
  throw new Problem({
    type: 'runtime',
    code: 'suspended',
    message: `${one.key} is suspended`,
    suggestion: `resume it first: tend resume ${one.application.name}`,
  })
}

export function refuseDeclared({ isGone, key, underWay, application }: AppState): void {
  if (isGone && underWay === undefined) return
  const why = isGone ? 'is being removed' : 'is still declared'
  throw new Problem({
    type: 'runtime',
    code: 'conflict',
    message: `${key} ${why}, so it can't be forgotten`,
    suggestion: isGone
      ? 'wait until that has ended'
      : `take it out of its source first, or leave it alone with: tend suspend ${application.name}`,
  })
}

export function refuseGone({ isGone, key }: AppState): void {
  if (!isGone) return
  throw new Problem({
    type: 'runtime',
    code: 'not_found',
    message: `${key} is no longer in its source, so it can't be put back`,
    suggestion: 'bring it back to its source first; then it runs as it is there',
  })
}
