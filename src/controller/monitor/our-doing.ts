/** Whether news of an engine are of what we do there ourselves. */
import type { AppState } from '../state/app-state.ts'
import type { ServiceState } from '../state/service-state.ts'

/**
 * True while something goes on with the owner; without an owner, with anybody on this monitor. What another replica looks after is
 * its business: it hears the same news, and a list of everything for each of its steps would be too much here.
 */
export function isOurDoing<Monitor>(
  { apps, isOurs }: Doing<Monitor>,
  instance: string,
  monitor: Monitor,
  owner: string | undefined,
): boolean {
  if (owner === undefined) {
    return [...apps.values()].some((app) => app.monitor === monitor && app.underWay !== undefined)
  }
  const app = apps.get(owner.slice(instance.length + 1))
  if (app?.owner !== owner || app.monitor !== monitor) return false
  return app.underWay !== undefined || !isOurs(app.key)
}

type Doing<Monitor> = Pick<ServiceState, 'isOurs'> & {
  readonly apps: ReadonlyMap<
    string,
    Pick<AppState, 'key' | 'owner' | 'underWay'> & { readonly monitor: Monitor | undefined }
  >
}
