/** Removes everything that an application made; its volumes only when told to. */
import { ownerOf, type Application } from '#model/application.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { CommandContext } from '../session.ts'
import { installedAs, notInstalled, type ApplicationQuery } from './installed.ts'
import { requestFor } from './request.ts'
import { startRun, type Heading } from './start.ts'
import { defined } from '#model/defined.ts'

export async function removeAll(
  sought: ApplicationQuery,
  heading: Heading,
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const memory = await context.session.memory()
  const record = await installedAs(sought, memory.store)
  const application = record?.application ?? (await running(sought, flags, context, memory.store))
  const request = requestFor(application, flags, context, {
    since: sinceOf(record, context),
    revision: '',
    source: record?.source ?? null,
    render: undefined,
  })
  const summary = await startRun(request, heading, flags, context, memory)
  return exitCodeOf(summary, flags.hasExitCode)
}

function sinceOf(record: ApplicationRecord | undefined, { session }: CommandContext): number {
  return record?.since ?? session.clock.now()
}

/** An application that is not in the history may still run, and can be removed by its labels. */
async function running(
  sought: ApplicationQuery,
  flags: Flags,
  { session, signal }: CommandContext,
  store: Store,
): Promise<Application> {
  const { name, namespace, kinds } = sought
  const application: Application = { kind: defined(kinds[0]), namespace, name }
  const owner = ownerOf(session.instance, application)
  const { target } = (await session.reach(flags, application.kind)).ports(owner)
  const quiet = { wanted: [], refresh: false, signal, report: () => undefined }
  const world = await target.observe({ owner, ...quiet })
  if (world.size === 0) throw await notInstalled(sought, store)
  return application
}
