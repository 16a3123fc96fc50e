/** Kustomizations that can't be followed: the service does not know them, and they are those most in need of being seen. */
import { keyOf } from '#model/application.ts'
import type { AppStatus } from '#model/service.ts'
import type { ClusterEvents } from './cluster-events.ts'
import { applicationFor, type FluxObject } from './kinds.ts'
import type { Trouble } from './repository.ts'

type RejectedObject = { readonly one: FluxObject; readonly trouble: Trouble }

export type RejectedObjects = {
  /** By the key of the application. */
  now(): ReadonlyMap<string, RejectedObject>
  put(troubles: ReadonlyMap<string, Trouble>, objects: Iterable<FluxObject>): void
  /** Hears of keys that came, went or are in another trouble; the function ends it. */
  listen(tell: (key: string, troubled: RejectedObject | undefined) => void): () => void
}

export function rejectedObjectsOf(): RejectedObjects {
  const listeners = new Set<Parameters<RejectedObjects['listen']>[0]>()
  let now: ReadonlyMap<string, RejectedObject> = new Map()
  return {
    now: () => now,
    put(troubles, objects) {
      const before = now
      const found = [...objects].flatMap((one) => {
        const key = keyOf(applicationFor(one))
        const trouble = troubles.get(key)
        return trouble === undefined ? [] : [[key, { one, trouble }] as const]
      })
      now = new Map(found)
      for (const key of new Set([...before.keys(), ...now.keys()])) {
        const [was, is] = [before.get(key)?.trouble.message, now.get(key)?.trouble.message]
        if (was !== is) for (const tell of listeners) tell(key, now.get(key))
      }
    },
    listen(tell) {
      listeners.add(tell)
      return () => listeners.delete(tell)
    },
  }
}

/** As events on the objects, each once. */
export function reportRejected(troubles: RejectedObjects, events: ClusterEvents): () => void {
  return troubles.listen((_key, troubled) => {
    // who is suspended is left alone: that it could not be followed is no news
    if (troubled === undefined || troubled.one.isSuspended) return
    const { reason, message } = troubled.trouble
    events.tell(troubled.one, 'Warning', reason, message)
  })
}

/** As the service would tell it, did it know it. */
export function statusOf(key: string, { one, trouble }: RejectedObject): AppStatus {
  return {
    key,
    application: applicationFor(one),
    ...standing({ one, trouble }),
    sync: { state: 'unknown', reason: trouble.message, since: 0 },
    health: { state: 'unknown', reason: trouble.message, since: 0, isGivenUp: false },
    desired: undefined,
    synced: undefined,
    lastRun: undefined,
    nextTry: undefined,
    failures: 1,
    isSuspended: one.isSuspended,
    needsAcknowledgement: false,
    containers: { running: 0, total: 0 },
    source: { shown: '', ref: '', path: '', file: '' },
    target: '',
    dependsOn: [],
  }
}

export function standing({ one, trouble }: RejectedObject): Pick<AppStatus, 'state' | 'reason'> {
  return { state: one.isSuspended ? 'suspended' : 'failed', reason: trouble.message }
}
