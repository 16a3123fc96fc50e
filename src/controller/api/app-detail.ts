/** All that the page of an application begins with: its row, what drifted, what can be done about it, what holds it. */
import type { Actions, AppDetail } from '#model/api.ts'
import type { Connection } from '#model/connection.ts'
import { kindNamed } from '#kinds/all.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import type { Ref } from '#model/ref.ts'
import type { AppStatus } from '#model/service.ts'
import { livingRuns, runBefore } from '#store/past.ts'
import { wentBackIn } from '../decide/sync-and-health.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { Scheduler } from '../run/scheduler.ts'
import type { AppState } from '../state/app-state.ts'
import { lookedAt } from './looked.ts'
import { originsOf, type Blames } from './origins.ts'
import { rowOf } from './row.ts'

export async function appDetail(
  service: ServiceState,
  schedule: Scheduler,
  app: AppState,
  blames: Blames,
  signal: AbortSignal,
): Promise<AppDetail> {
  const status = schedule.statusOf(app)
  const heldBy = holdOf(app)
  return {
    ...rowOf(service, schedule, status),
    actions: await actionsOf(service, app, status),
    hasLogs: connectionOf(app)?.logLines !== undefined,
    drift: await driftOf(service, app, status, blames, signal),
    ...(app.declared?.source.kind === 'table'
      ? {}
      : { ignoreAll: entryOf(app, ['drift: ignore']) }),
    ...(heldBy === undefined ? {} : { heldBy }),
  }
}

/** Nobody is asked where it is known that nothing drifted. */
async function driftOf(
  service: ServiceState,
  app: AppState,
  { sync, synced }: AppStatus,
  blames: Blames,
  signal: AbortSignal,
): Promise<AppDetail['drift']> {
  if (sync.state !== 'drifted' && sync.state !== 'missing') return []
  // before its first run nothing of it is there, which is no drift
  if (synced === undefined || sync.isBehind === true) return []
  // an engine that is away leaves the drift unsaid; the health says that it is away
  const looked = await lookedAt(service, app, signal).catch(() => undefined)
  const declaration = await kindNamed(app.application.kind).declaration?.()
  const places = new Map(looked?.rendered.resources.map(({ ref, origin }) => [ref, origin]))
  const origins = originsOf(blames, app)
  const drifted = (looked?.resources ?? []).filter(
    (one) => one.sync.state === 'drifted' || one.sync.state === 'missing',
  )
  return Promise.all(
    drifted.map(async ({ ref, sync: own }) => {
      const place = places.get(ref)
      const changes = own.changes.map(async (change) => {
        const origin = place && (await origins.of(place, change.path))
        return {
          ...change,
          ...(origin === undefined ? {} : { origin }),
          ...ignoreText(app, declaration, ref, change.path),
        }
      })
      return { ...own, ref, since: sync.since, changes: await Promise.all(changes) }
    }),
  )
}

/** The lines of tend.yaml that leave this field to whoever changes it. */
function ignoreText(
  app: AppState,
  declaration: KindDeclaration | undefined,
  ref: Ref,
  path: string,
): { readonly ignore?: string } {
  const lines = declaration?.ignoreLines?.(ref, path)
  return lines === undefined ? {} : { ignore: entryOf(app, lines) }
}

function entryOf(
  { application: { kind, namespace, name } }: AppState,
  lines: readonly string[],
): string {
  const place = namespace === null ? [] : [`namespace: ${JSON.stringify(namespace)}`]
  const entry = [...place, ...lines].map((line) => `    ${line}\n`)
  return `apps:\n  - ${kind}: ${JSON.stringify(name)}\n${entry.join('')}`
}

/** What keeps it from what its source says, after somebody or something went back. */
function holdOf({ persisted }: AppState): AppDetail['heldBy'] {
  const { desired, leftBehind, failure } = persisted
  if (desired === undefined) return undefined
  if (wentBackIn(persisted) || (failure?.isRolledBack === true && failure.hash === desired.hash)) {
    const reason = failure?.reason ?? 'what its source says was not well here'
    return { reason, release: 'a new commit that changes it, or a sync by hand' }
  }
  if (leftBehind !== desired.hash) return undefined
  const reason = 'somebody went back to an earlier run, and what its source says is left alone'
  return { reason, release: 'a new commit that changes it, or a sync by hand' }
}

/** Null: it can be used now. A name that is absent: there is no such thing for this application. */
async function actionsOf(
  service: ServiceState,
  app: AppState,
  status: AppStatus,
): Promise<Actions> {
  const { isGone, underWay, monitor, owner, persisted } = app
  const busy = underWay === undefined ? null : 'a run is under way'
  const suspended = status.isSuspended ? 'it is suspended: resume it first' : null
  const gone = isGone ? 'it is no longer declared' : null
  // a sync of one that may be removed removes it, and suspending it holds that up
  const isLeft = isGone && (!persisted.removes || persisted.isRemoved)
  const left = isLeft ? 'it is no longer declared: forget it, or declare it again' : null
  const away = monitor?.problem()?.message ?? null
  // without the history there is nothing to go back to
  const runs = await livingRuns(app.application, service.dependencies.store).catch(() => [])
  const before = runBefore(runs) === undefined ? 'there is no earlier run to go back to' : null
  const restarts = connectionOf(app)?.restart !== undefined
  const isThere = monitor?.listing()?.apps.get(owner)?.listed?.length ?? 0
  // docker-cd's are known by their labels; of others a run was refused, because a name is theirs
  const isInTheWay = status.lastRun?.problem?.code === 'name_taken'
  const isOthers =
    monitor?.listing()?.orphans.has(app.application.name) === true ||
    (isInTheWay && connectionOf(app)?.adopt !== undefined)
  return {
    sync: left ?? suspended ?? busy,
    suspend: left ?? (status.isSuspended ? 'it is suspended already' : null),
    resume: status.isSuspended ? null : 'it is not suspended',
    acknowledge: left ?? suspended ?? (status.needsAcknowledgement ? null : 'it waits for nobody'),
    ...(monitor?.kind.noRollback === undefined
      ? { rollback: suspended ?? gone ?? busy ?? before }
      : {}),
    forget: isGone ? busy : 'it is still declared',
    ...(isOthers ? { adopt: left ?? suspended ?? busy } : {}),
    ...(restarts || removal.has(status.lastRun?.problem?.code ?? '')
      ? { prune: left ?? suspended ?? away ?? busy }
      : {}),
    ...(restarts
      ? { restart: away ?? busy ?? (isThere === 0 ? 'no container of it is there' : null) }
      : {}),
  }
}

/** A run was refused because it would remove much: that it is meant has to be said. Where containers run there may be volumes beside. */
const removal: ReadonlySet<string> = new Set(['would_remove_much', 'would_remove_all'])

/** What a kind can't do is absent in its connection. Undefined: there is no engine, and what it could do is not known. */
function connectionOf({ monitor }: AppState): Connection | undefined {
  try {
    return monitor?.connection()
  } catch {
    // the problem of the target says why there is none
    return undefined
  }
}
