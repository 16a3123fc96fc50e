/** Marks applications that are no longer declared. */
import { keyOf } from '#model/application.ts'
import type { Cause } from '#model/event.ts'
import { forget, hasRun, isBlank, remember, type ServiceState } from '../state/service-state.ts'
import { massRemovalReason } from '../guards/mass-removal.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import { setBranch, setMonitor, markGone, setFault, setCause } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'

/** When a discovery is no longer declared, the applications that it found are left running: nobody said of each that it is to go. */
export function markUndeclared(
  service: ServiceState,
  registry: RepositoryRegistry,
  cause: Cause,
): void {
  const { apps, discoveries } = service.declarations
  const keys = new Set(apps.map(({ application }) => keyOf(application)))
  const names = new Set(discoveries.map(({ name }) => name))
  const own = [...service.apps.values()].filter(
    ({ persisted }) => persisted.from === '' && !persisted.isRemoved,
  )
  const lost = own.filter(({ key }) => !keys.has(key))
  const isWhole = discoveries.every(
    ({ source }) => registry.branchFor(source)?.snapshot !== undefined,
  )
  const counts = { before: own.filter(hasRun).length, lost: lost.filter(hasRun).length }
  const guarded = massRemovalReason({ ...counts, isWhole })
  for (const app of lost) {
    if (isBlank(app)) {
      void forget(service, app.key)
      continue
    }
    if (!app.isGone) {
      service.dependencies.log('info', 'no longer declared', { app: app.key })
      setCause(app, cause)
    }
    markGone(app, guarded)
    setMonitor(app, app.monitor ?? service.monitorFor(app.application.kind, app.persisted.target))
  }
  const { leaving = [] } = service.declarations
  const dismissed = new Set(leaving.map(({ application }) => keyOf(application)))
  for (const app of service.apps.values()) {
    const { persisted, declared, key } = app
    if (declared !== undefined) setBranch(app, registry.branchFor(declared.source) ?? app.branch)
    if (persisted.from === '' || names.has(persisted.from) || keys.has(key) || dismissed.has(key))
      continue
    markGone(app, `the declaration ${persisted.from} is gone`)
  }
}

/** Removes applications whose objects in a cluster are being deleted and wait for our finalizer (`Declarations.leaving`). */
export async function removeNow(service: ServiceState): Promise<void> {
  for (const { application, target, removes } of service.declarations.leaving ?? []) {
    const key = keyOf(application)
    const persisted = {
      since: service.dependencies.clock.now(),
      from: 'leaving',
      removes,
      isRemoved: false,
    }
    const app =
      service.apps.get(key) ?? createAppState(application, service.dependencies.instance, persisted)
    service.apps.set(key, app)
    setMonitor(app, app.monitor ?? service.monitorFor(application.kind, target))
    setFault(app, undefined)
    markGone(app, undefined)
    if (app.underWay === 'sync') app.interruption?.abort()
    if (app.persisted.removes !== removes) await remember(service, app, { removes })
  }
}
