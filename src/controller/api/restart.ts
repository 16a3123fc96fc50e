/** Restarts containers because somebody said so: no run, nothing of the declaration changes. */
import { Problem } from '#model/problem.ts'
import type { RestartRequest } from '#model/connection.ts'
import type { Ref } from '#model/ref.ts'
import { checkRight } from '../guards/check-right.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { AppState } from '../state/app-state.ts'

/** Longer than any grace period that people declare, ms. */
const patience = 5 * 60_000

export async function restartUnit(
  service: ServiceState,
  app: AppState,
  ref: Ref | undefined,
): Promise<void> {
  const { monitor, key, seen } = app
  const problem = monitor?.problem()
  if (problem !== undefined) throw problem
  const connection = monitor?.connection()
  if (connection?.restart === undefined) throw unsupported(key)
  if (app.underWay !== undefined) throw busy(key)
  const all = seen?.listed ?? []
  const wanted = all.filter((one) => ref === undefined || one.ref === ref)
  if (wanted.length === 0) throw nothingThere(key, ref)
  const signal = AbortSignal.any([service.stop, AbortSignal.timeout(patience)])
  for (const { name, id } of wanted) {
    service.dependencies.log('info', 'a container is restarted, as somebody asked', {
      app: key,
      container: name,
    })
    checkRight(service, key)
    await connection.restart({ id, name }, restartRequest(service, app, signal))
    monitor?.records.forgetLook(id)
  }
  await monitor?.look()
  service.wake()
}

/** The present declaration decides which binds the restarted container may have. */
export function restartRequest(
  { dependencies }: Pick<ServiceState, 'dependencies'>,
  { key, owner, declared }: AppState,
  signal: AbortSignal,
): RestartRequest {
  const warn = (text: string): void => dependencies.log('warning', text, { app: key })
  return { owner, declared, signal, warn }
}

function unsupported(key: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'unsupported',
    message: `${key} runs where nothing can be restarted`,
    suggestion: 'sync it instead',
  })
}

function busy(key: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'conflict',
    message: `a run of ${key} is under way`,
    suggestion: 'restart it when that has ended',
  })
}

function nothingThere(key: string, ref: Ref | undefined): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message:
      ref === undefined ? `no container of ${key} is there` : `${key} has no container of ${ref}`,
    suggestion: 'sync it: what is missing is made again',
  })
}
