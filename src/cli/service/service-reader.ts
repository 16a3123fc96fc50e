/** Reads what is known of the service's applications: from the service itself, or from what it left in the store. */
import { serviceAt } from '#clients/service/client.ts'
import { applicationOf } from '#kinds/application-of.ts'
import type { AppStatus, SourceStatus } from '#model/service.ts'
import type { AppRun, RunRecord } from '#model/store.ts'
import { recentOf } from '#store/past.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { findService } from './find.ts'
import { storedApps, storedSources } from './from-store.ts'

export type ServiceReader = {
  /** Whether the service itself answers, so that what it says is so now. */
  readonly isLive: boolean
  apps(): Promise<readonly AppStatus[]>
  sources(): Promise<readonly SourceStatus[]>
  runs(key: string): Promise<readonly RunRecord[]>
  /** The runs of all applications, newest first. */
  recentRuns(most: number): Promise<readonly AppRun[]>
  close(): void
}

export async function serviceReader(flags: Flags, context: CommandContext): Promise<ServiceReader> {
  const { session, screen, signal } = context
  const address = findService(flags, session)
  if (address !== undefined) {
    const service = serviceAt(address)
    return {
      isLive: true,
      apps: () => service.apps(signal),
      sources: () => service.sources(signal),
      runs: (key) => service.runs(key, signal),
      recentRuns: (most) => service.recentRuns(most, signal),
      close: () => service.close(),
    }
  }
  screen.note('No service runs here (tend serve starts one); this is what it last knew.')
  const memory = await session.memoryIfAny()
  return {
    isLive: false,
    apps: () => storedApps(memory, session.instance),
    sources: () => storedSources(memory),
    async recentRuns(most) {
      const known = new Set((await storedApps(memory, session.instance)).map(({ key }) => key))
      return memory === undefined ? [] : recentOf(memory.store, most, (key) => known.has(key))
    },
    async runs(key) {
      const application = applicationOf(key)
      if (memory === undefined || application === undefined) return []
      return memory.store.runs(application)
    },
    close: () => undefined,
  }
}
