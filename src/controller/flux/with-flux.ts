/** The service with Flux's objects behind it: a request for an application is written on its object, and objects with faults are listed as well. */
import { Problem } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import type { Controller } from '../open-service.ts'
import type { Flux } from './open-flux.ts'
import { standing, statusOf } from './rejected-objects.ts'

export function withFlux(service: Controller, flux: Flux): Controller {
  const { troubles } = flux

  async function set(key: string, isSuspended: boolean, by?: string): Promise<AppStatus> {
    const isObject = await flux.suspend(key, isSuspended)
    if (isObject && isSuspended) return app(key)
    // what was said to the service alone, before, counts no more
    if (service.appState(key) === undefined) return app(key)
    return isSuspended ? service.suspend(key) : service.resume(key, by)
  }

  function told(status: AppStatus): AppStatus {
    const troubled = troubles.now().get(status.key)
    return troubled === undefined ? status : { ...status, ...standing(troubled) }
  }

  function app(key: string): AppStatus {
    const troubled = troubles.now().get(key)
    const isUnknown = service.appState(key) === undefined
    return troubled !== undefined && isUnknown ? statusOf(key, troubled) : told(service.app(key))
  }

  function refuse(key: string): void {
    const troubled = troubles.now().get(key)
    if (troubled === undefined) return
    const { message } = troubled.trouble
    throw new Problem({ type: 'configuration', code: 'declaration_error', message })
  }

  return {
    ...service,
    get projectName() {
      return service.projectName
    },
    app,
    apps() {
      const known = service.apps()
      const keys = new Set(known.map(({ key }) => key))
      const others = [...troubles.now()].filter(([key]) => !keys.has(key))
      return [...known.map(told), ...others.map(([key, one]) => statusOf(key, one))]
    },
    listen(tell) {
      const end = service.listen((event) =>
        tell(event.type === 'app' ? { ...event, status: told(event.status) } : event),
      )
      const endTroubles = troubles.listen((key, troubled) => {
        if (troubled !== undefined) tell({ type: 'app', status: app(key) })
        else if (service.appState(key) === undefined) tell({ type: 'gone', key, at: Date.now() })
      })
      return () => [end, endTroubles].forEach((one) => one())
    },
    async sync(key, allowed, begun) {
      refuse(key)
      return service.sync(key, allowed, begun)
    },
    async rollback(key, run, allowed) {
      refuse(key)
      return service.rollback(key, run, allowed)
    },
    async acknowledge(key, by) {
      refuse(key)
      return service.acknowledge(key, by)
    },
    async plan(key, signal, back, how) {
      refuse(key)
      return service.plan(key, signal, back, how)
    },
    async planned(key, wanted, signal) {
      refuse(key)
      return service.planned(key, wanted, signal)
    },
    runs: async (key) =>
      service.appState(key) === undefined && troubles.now().has(key) ? [] : service.runs(key),
    suspend: (key) => set(key, true),
    resume: (key, by) => set(key, false, by),
  }
}
