/** An application of which nothing is known yet but what the service remembers. */
import { keyOf, ownerOf, type Application } from '#model/application.ts'
import type { AppState } from './app-state.ts'
import type { PersistedState } from './persisted-state.ts'

export function createAppState(
  application: Application,
  instance: string,
  persisted: PersistedState,
): AppState {
  return {
    key: keyOf(application),
    application,
    owner: ownerOf(instance, application),
    declared: undefined,
    branch: undefined,
    monitor: undefined,
    persisted,
    isGone: false,
    guarded: undefined,
    fault: undefined,
    cause: { trigger: 'start-up' },
    asks: [],
    comingAsks: [],
    idle: [],
    underWay: undefined,
    interruption: undefined,
    applying: undefined,
    provenAfter: 0,
    drift: undefined,
    missing: [],
    seen: undefined,
    isCompared: false,
    health: undefined,
    rendered: undefined,
    rendering: undefined,
    refresh: undefined,
    refreshAgain: undefined,
    failedRender: undefined,
    isChecking: false,
    proven: undefined,
    asApplied: undefined,
    rival: undefined,
    isTouched: true,
    status: undefined,
    decision: undefined,
  }
}
