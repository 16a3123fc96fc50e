/** The service with Flux's objects behind it: who suspends one of theirs writes it on the object, where everybody sees it. */
import type { AppStatus } from '#model/service.ts'
import type { Controller } from '../open-service.ts'
import type { Flux } from './open-flux.ts'

export function withFlux(service: Controller, flux: Flux): Controller {
  async function set(key: string, isSuspended: boolean): Promise<AppStatus> {
    const isObject = await flux.suspend(key, isSuspended)
    if (isObject && isSuspended) return service.app(key)
    // what was said to the service alone, before, counts no more
    return isSuspended ? service.suspend(key) : service.resume(key)
  }
  return {
    ...service,
    get projectName() {
      return service.projectName
    },
    suspend: (key) => set(key, true),
    resume: (key) => set(key, false),
  }
}
