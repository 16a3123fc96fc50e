/** The origin's records, field by field, from what the service knows. */
import {
  isUnwell,
  type AppStatus,
  type ContainerStatus,
  type SourceStatus,
} from '#model/service.ts'
import * as z from 'zod/mini'
import { list } from './model.ts'

const statuses = z.enum(['missing', 'syncing', 'synced', 'deleting', 'failed'])

/** Optional fields are absent when there is nothing to tell. Times are RFC 3339, whole seconds, UTC. */
export const stackRecord = z.object({
  path: z.string(),
  composeFile: z.string(),
  composeHash: z.string(),
  status: statuses,
  containersRunning: z.int(),
  containersTotal: z.int(),
  syncedRevision: z.optional(z.string()),
  syncedCommitMessage: z.optional(z.string()),
  syncedComposeHash: z.optional(z.string()),
  syncedAt: z.optional(z.string()),
  lastSyncAt: z.optional(z.string()),
  lastSyncStatus: z.optional(z.string()),
  lastSyncError: z.optional(z.string()),
})
export type StackRecord = z.output<typeof stackRecord>

export const refreshSnapshot = z.object({
  revision: z.string(),
  commitMessage: z.optional(z.string()),
  ref: z.string(),
  refType: z.string(),
  refreshedAt: z.string(),
  refreshStatus: z.enum(['refreshing', 'queued', 'completed', 'failed']),
  refreshError: z.optional(z.string()),
  stacks: z.null(),
})
export type RefreshSnapshot = z.output<typeof refreshSnapshot>

export const originContainer = z.object({
  id: z.string(),
  name: z.string(),
  service: z.string(),
  state: z.string(),
  health: z.string(),
  image: z.string(),
  ports: z.optional(z.string()),
})

export const refreshAnswer = z.object({ status: z.string(), message: z.string() })
export const acknowledgement = z.object({
  status: z.string(),
  stack_path: z.string(),
  message: z.string(),
})
export const stackRecords = list(stackRecord)

/** Where in its repository the origin would look: paths are told from there on. */
export type Scope = { readonly deployDir: string }

export function scopeOf(declarations: {
  readonly isOrigin: boolean
  readonly discoveries: readonly { readonly path: string }[]
}): Scope {
  const first = declarations.isOrigin ? declarations.discoveries[0] : undefined
  return { deployDir: first?.path ?? '' }
}

export function isStack({ application }: AppStatus): boolean {
  return application.kind === 'stack'
}

export function stackPath({ source, application }: AppStatus, { deployDir }: Scope): string {
  const { path } = source
  if (path === '' || path === deployDir) return application.name
  return deployDir !== '' && path.startsWith(`${deployDir}/`)
    ? path.slice(deployDir.length + 1)
    : path
}

export function stackRecordOf(app: AppStatus, scope: Scope): StackRecord {
  const { desired, synced, containers } = app
  const record: StackRecord = {
    path: stackPath(app, scope),
    composeFile: app.source.file,
    composeHash: desired?.hash ?? '',
    status: statusOf(app),
    containersRunning: containers.running,
    containersTotal: containers.total + (containers.completed ?? 0),
  }
  if (synced !== undefined) {
    record.syncedRevision = filled(synced.revision)
    record.syncedCommitMessage = filled(synced.message)
    record.syncedComposeHash = filled(synced.hash)
    record.syncedAt = rfc3339(synced.at)
  }
  lastSync(app, record)
  return record
}

function lastSync({ lastRun, synced, reason, health }: AppStatus, record: StackRecord): void {
  const isFailed = record.status === 'failed'
  const at = lastRun?.at ?? synced?.at
  if (at !== undefined) {
    record.lastSyncAt = rfc3339(at)
    record.lastSyncStatus = lastStatus(lastRun?.outcome, isFailed)
  }
  if (isFailed) {
    const why = lastRun?.problem?.message ?? (reason === '' ? health.reason : reason)
    record.lastSyncError = filled(why) ?? 'failed'
  }
}

function lastStatus(outcome: string | undefined, isFailed: boolean): string {
  return isFailed || (outcome !== undefined && outcome !== 'succeeded') ? 'failed' : 'synced'
}

/** The origin has one word for both answers: what is as declared and does not work has failed. */
function statusOf(app: AppStatus): z.output<typeof statuses> {
  const word = syncWord(app)
  return word === 'synced' && isUnwell(app) ? 'failed' : word
}

/**
 * The origin has no `drifted` and no `suspended`. Drift that waits for an acknowledgement it showed as failed, a change of
 * the file that is not applied as missing, other drift not at all; a suspended stack is shown as it was left.
 */
function syncWord(app: AppStatus): z.output<typeof statuses> {
  switch (app.state) {
    case 'drifted':
      if (app.needsAcknowledgement) return 'failed'
      return app.desired !== undefined && app.desired.hash !== app.synced?.hash
        ? 'missing'
        : 'synced'
    case 'suspended':
      if (app.failures > 0) return 'failed'
      return app.synced === undefined ? 'missing' : 'synced'
    case 'missing':
    case 'syncing':
    case 'synced':
    case 'deleting':
    case 'failed':
      return app.state
  }
}

export function refreshOf(source: SourceStatus | undefined): RefreshSnapshot {
  return {
    revision: source?.revision ?? '',
    commitMessage: filled(source?.message ?? ''),
    ref: source?.ref ?? '',
    refType: source?.refType ?? '',
    refreshedAt: source === undefined || source.at === 0 ? zeroTime : rfc3339(source.at),
    refreshStatus: source?.state ?? 'queued',
    refreshError: source?.problem?.message,
    stacks: null,
  }
}

export function containerOf(container: ContainerStatus): z.output<typeof originContainer> {
  const { id, ports, ref: _, ...rest } = container
  return { ...rest, id: id.slice(0, 12), ports: filled(ports) }
}

const zeroTime = '0001-01-01T00:00:00Z'

export function rfc3339(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`
}

function filled(text: string): string | undefined {
  return text === '' ? undefined : text
}
