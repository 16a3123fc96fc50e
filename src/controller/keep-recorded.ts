/** Keeps applications that come from no source as their last runs left them: by the loop, the monitors and the decisions of the service. */
import { keyOf } from '#model/application.ts'
import type { AppPolicy, Declared } from '#model/declaration.ts'
import type { ServiceEvent } from '#model/service.ts'
import type { ApplicationRecord } from '#model/store.ts'
import { usualPolicy } from '#model/usual-policy.ts'
import { createLoop } from './loop.ts'
import { hasMoved } from './sources/recorded-run.ts'
import { setDeclaration } from './state/app-state.ts'
import { createAppState } from './state/create-app-state.ts'
import { withoutSources, type OwnDependencies } from './without-sources.ts'

/** One application, and the target that it runs on. */
export type Recorded = Pick<Declared, 'target'> & { readonly record: ApplicationRecord }

export type RecordKeeper = {
  /** From now on these are kept, and no others. */
  follow(all: readonly Recorded[]): void
  start(): Promise<void>
  /** Lets calls that are under way end, and begins nothing more. */
  stop(): Promise<void>
}

/** Whatever fails is tried again, at the latest after this, ms. */
const retryInterval = 5 * 60_000

/** Nothing is known of it but that it was applied: neither a source nor a version. */
const recorded = 'recorded'

export function keepRecorded(
  parts: OwnDependencies,
  policy: Pick<AppPolicy, 'interval' | 'timeout' | 'concurrency'>,
  tell: (event: ServiceEvent) => void,
): RecordKeeper {
  const loop = createLoop(withoutSources(parts))
  const { service, monitors } = loop
  const kept: AppPolicy = { ...usualPolicy, ...policy, retryInterval, rollback: 'never' }
  loop.listen(tell)

  function add({ record, target }: Recorded): void {
    const { application, since } = record
    const version = { revision: '', message: '', hash: recorded, at: since }
    const app = createAppState(application, parts.instance, {
      since,
      from: '',
      removes: false,
      isRemoved: false,
      desired: { hash: recorded, file: '', inputs: { about: '', read: '' } },
      synced: version,
      leftBehind: recorded,
    })
    const source = { kind: 'directory', path: '' } as const
    const none = { path: '', files: [], profiles: [], values: {}, at: undefined }
    const declared: Declared = { application, source, target, policy: kept, record, ...none }
    const monitor = monitors.for(application.kind, target)
    setDeclaration(app, { declared, branch: undefined, monitor })
    service.apps.set(app.key, app)
    void service.check(app).finally(() => service.wake())
  }

  return {
    follow(all) {
      const wanted = new Map(all.map((one) => [keyOf(one.record.application), one]))
      for (const [key, { declared, underWay }] of service.apps) {
        const now = wanted.get(key)?.record
        const record = declared?.record
        const isGone = now === undefined || record === undefined || hasMoved(record, now)
        if (isGone && underWay === undefined) service.apps.delete(key)
      }
      for (const [key, one] of wanted) if (!service.apps.has(key)) add(one)
    },
    async start() {
      await monitors.start()
      loop.begin()
    },
    stop: () => loop.stop(),
  }
}
