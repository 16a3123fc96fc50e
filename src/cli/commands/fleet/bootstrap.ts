/** `tend fleet bootstrap`: makes what a fleet needs before its clusters: networks, proxy, management cluster. */
import * as haproxy from '#clients/haproxy/proxy.ts'
import { reservedCluster } from '#model/clusters.ts'
import type { JsonRecord } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import { isProvider } from '#domains/fleet/render/row-rules.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import type { Flags, Invocation } from '../../arguments/invocation.ts'
import { proxyFor } from '#kinds/fleet/registrations.ts'
import {
  managementFoundations,
  networkFoundations,
  type Foundation,
} from '#kinds/fleet/foundations.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import { fleetFolder, openFleetContext } from '#kinds/fleet/fleet-context.ts'
import { reconciling } from '#kinds/fleet/usual.ts'
import { columns } from '../../views/columns.ts'
import type { CommandContext } from '../../session.ts'

export type Check = {
  readonly name: string
  readonly state: 'ok' | 'failed'
  readonly message: string
}

export async function fleetBootstrap(
  { flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const checks = await bootstrap(flags, context)
  if (context.screen.format === 'table') context.screen.print(checkLines(checks))
  else await context.screen.document({ checks: checks.map((check): JsonRecord => ({ ...check })) })
  return checks.every(({ state }) => state === 'ok') ? 0 : 1
}

export function checkLines(checks: readonly Check[]): readonly string[] {
  const cells = checks.map(({ name, state, message }) => [name, state, message])
  return columns(['WHAT', 'STATE', 'MESSAGE'], cells)
}

/** Each part is tried, whatever becomes of the others. */
export async function bootstrap(flags: Flags, context: CommandContext): Promise<readonly Check[]> {
  const { session, signal } = context
  const settings = settingsFor(flags, databaseOf(flags, session))
  return withClusters(flags, session, 'write', async (clusters) => {
    const fleet = await openFleetContext(clusters, settings, reconciling, session)
    return [
      { name: 'database', state: 'ok', message: clusters.file },
      ...(await laid(networkFoundations(settings, session, signal))),
      ...(await proxyChecks(settings, context)),
      ...(await laid(managementFoundations(settings, signal))),
      ...(await providerChecks(fleet, signal)),
    ]
  })
}

function laid(foundations: readonly Foundation[]): Promise<readonly Check[]> {
  return Promise.all(foundations.map(({ name, work }) => checked(name, work)))
}

async function proxyChecks(
  settings: FleetSettings,
  context: CommandContext,
): Promise<readonly Check[]> {
  const { session, signal } = context
  const proxy = proxyFor(settings, session, fleetFolder(settings, session))
  if (proxy === undefined) return []
  const check = await checked('haproxy', async () => {
    const isNew =
      haproxy.readConfig(proxy.folder) !== haproxy.configText(proxy) ||
      (await haproxy.isBehind(proxy, signal))
    const isRunning = await (isNew
      ? haproxy.applyConfig(proxy, signal)
      : haproxy.isRunning(proxy, signal))
    if (!isRunning) await haproxy.start(proxy, signal)
    return `${isRunning ? 'runs' : 'started'}, listens on ${proxy.http}`
  })
  return [check]
}

async function providerChecks(
  context: FleetContext,
  signal: AbortSignal,
): Promise<readonly Check[]> {
  const rows = context.declared.rows.filter(({ name }) => name !== reservedCluster)
  const names = [...new Set(rows.map(({ provider }) => provider))].filter(isProvider)
  return Promise.all(
    names.map((name) =>
      checked(name, async () => `${(await context.providers[name].list(signal)).size} clusters`),
    ),
  )
}

export async function checked(name: string, work: () => Promise<string>): Promise<Check> {
  try {
    return { name, state: 'ok', message: await work() }
  } catch (thrown) {
    const { message, suggestion } = problemOf(thrown)
    const more = suggestion === undefined ? '' : `; ${suggestion}`
    return { name, state: 'failed', message: `${message}${more}` }
  }
}
