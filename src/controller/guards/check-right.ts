/** Outside of runs no lease is asked: what changes something there is for the replica that looks after the application, to its last moment. */
import { Problem } from '#model/problem.ts'
import type { ServiceState } from '../state/service-state.ts'

/** Asked last of all before each such call: a process that was suspended may find that another one is at work by now. */
export function checkRight({ isOurs }: Pick<ServiceState, 'isOurs'>, key: string): void {
  if (isOurs(key)) return
  throw new Problem({
    type: 'runtime',
    code: 'held',
    message: `the right to change ${key} was lost: another replica may look after it by now`,
    recoverable: true,
  })
}
