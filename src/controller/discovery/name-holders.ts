/** Which discovery has a name, when several find a folder of it. */
import { isBlank, type ServiceState } from '../state/service-state.ts'
import type { HolderOf } from './discovered-apps.ts'

/** Whose a name is: of the discovery that it came from, until it was removed or forgotten. */
export function holders({ apps, declarations }: ServiceState): HolderOf {
  const names = new Set(declarations.discoveries.map(({ name }) => name))
  return (key) => {
    const app = apps.get(key)
    if (app === undefined || app.persisted.isRemoved || isBlank(app)) return undefined
    return names.has(app.persisted.from) ? app.persisted.from : undefined
  }
}
