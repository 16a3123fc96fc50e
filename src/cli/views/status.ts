/** The state of an application, resource by resource, as `status` prints it. */
import type { Application } from '#model/application.ts'
import type { Health, Sync } from '#model/assessment.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Change, Plan } from '#model/plan.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { nameWidth } from './layout.ts'
import { harmless, mark, type Indicator, type Paint } from './paint.ts'
import { shownPath } from './paths.ts'
import { ago, span } from './time.ts'
import { changeText, hidden, kindsOf, looksSecret, titleOf } from './labels.ts'

export type State = 'healthy' | 'degraded' | 'failed' | 'unknown'

type ResourceState =
  /** Runs and answers its checks. */
  | 'healthy'
  /** It exists, and has nothing that could be checked. */
  | 'ok'
  | 'waiting'
  | 'unhealthy'
  | 'drifted'
  | 'missing'
  | 'unknown'

export type ResourceStatus = {
  readonly ref: Ref
  readonly state: ResourceState
  readonly reason: string
  /** Fields that differ from what was applied. */
  readonly drift: readonly Change[]
  /** Both answers, where they are known separately. */
  readonly sync?: Sync
  readonly health?: Health | undefined
}

export type Status = {
  readonly kind: Application['kind']
  readonly name: string
  readonly namespace: string | null
  readonly version: string
  readonly state: State
  readonly sync?: Sync
  readonly health?: Health | undefined
  readonly run: number
  /** When that run ended, ms. */
  readonly since: number
  /** The absolute path. */
  readonly path: string | null
  /** The address of the engine that it was applied to; null when that is not known. */
  readonly engine?: string | null
  readonly resources: readonly ResourceStatus[]
  /** Resources that are no longer declared and still kept, such as volumes. */
  readonly kept?: Plan['kept']
  /** Warnings of the service. */
  readonly warnings?: readonly string[]
  /** Further lines that explain the state. */
  readonly notes?: readonly string[]
}

const indicators = {
  healthy: '✓',
  ok: '✓',
  waiting: '~',
  unhealthy: '✗',
  drifted: '~',
  missing: '✗',
  unknown: '~',
} as const satisfies Record<ResourceState, Indicator>

const stateColours = {
  healthy: 'green',
  degraded: 'yellow',
  failed: 'red',
  unknown: 'yellow',
} as const

export function statusLines(status: Status, now: number, paint: Paint): readonly string[] {
  const space = status.namespace === null ? '' : `${status.namespace}/`
  const from = status.path === null ? '' : `, from ${shownPath(status.path)}`
  const state = paint(stateColours[status.state], status.state)
  // runs count from 1: none is known
  const run = status.run === 0 ? 'last run' : `run ${status.run}`
  const when = `${run}, ${ago(now - status.since)}${from}`
  const [first] = status.resources
  const isBlind =
    first !== undefined &&
    status.resources.every((one) => one.state === 'unknown' && one.reason === first.reason)
  const engine = (status.engine ?? null) === null ? [] : [`on ${status.engine}`]
  if (isBlind) {
    const heading = `${space}${status.name} ${status.version}   ${state}   ${when}`
    return [heading, ...engine, '', `${mark('✗', paint)} ${harmless(first.reason)}`]
  }
  const parts = partsOf(status.resources)
  return [
    `${space}${status.name} ${status.version}   ${state}   ${when}`,
    ...engine,
    '',
    ...(status.resources.length > 0 || status.state === 'unknown' ? [] : ['Nothing is declared.']),
    ...parts.told.flatMap(({ title, rows }) => [
      `${title}:`,
      ...rowLines(rows, status, now, paint),
    ]),
    ...(parts.counted.length === 0 ? [] : [parts.counted.join('   ')]),
    ...furtherLines(status),
  ]
}

function furtherLines({ kept = [], notes = [], warnings = [] }: Status): readonly string[] {
  return [
    ...warnings.map((text) => `Warning: ${harmless(text)}`),
    ...kept.map(({ ref, why }) => `Kept: ${kindOf(ref)} ${nameOf(ref)}, ${harmless(why)}`),
    ...notes.map((note) => `Note: ${harmless(note)}`),
  ]
}

/** Kinds whose resources merely exist are counted. Of other kinds each resource is shown, containers first. */
function partsOf(resources: readonly ResourceStatus[]): {
  readonly told: readonly { readonly title: string; readonly rows: readonly ResourceStatus[] }[]
  readonly counted: readonly string[]
} {
  const kinds = kindsOf(resources.map(({ ref }) => ref)).map((kind) => ({
    title: titleOf(kind),
    rows: resources.filter(({ ref }) => kindOf(ref) === kind),
  }))
  function isCounted({ rows }: (typeof kinds)[number]): boolean {
    return rows.every(({ state }) => state === 'ok')
  }
  const told = kinds.filter((kind) => !isCounted(kind)).toReversed()
  const counted = kinds.filter(isCounted).map(({ title, rows }) => `${title}: ${rows.length} ok`)
  return { told, counted }
}

function rowLines(
  rows: readonly ResourceStatus[],
  status: Status,
  now: number,
  paint: Paint,
): readonly string[] {
  const width = nameWidth(status.resources.map(({ ref }) => ref))
  return rows.flatMap((one) => [
    `  ${mark(indicators[one.state], paint)} ${nameOf(one.ref).padEnd(width)}${one.state.padEnd(13)}${harmless(one.reason)}${spanOf(one, now)}`.trimEnd(),
    ...one.drift.map((change) => `    - ${changeText(change)}`),
  ])
}

/** `, 5 minutes`: how long it has not been well, where that is known. */
function spanOf({ sync, health }: ResourceStatus, now: number): string {
  const answer = sync?.state === 'synced' ? health : sync
  if (answer === undefined || answer.state === 'healthy') return ''
  const since = sinceOf(answer)
  return since === undefined ? '' : `, ${span(now - since)}`
}

function answersIn({ sync, health }: Pick<Status, 'sync' | 'health'>): JsonRecord {
  return {
    ...(sync === undefined
      ? {}
      : { sync: { state: sync.state, reason: sync.reason, ...sinceIn(sync) } }),
    ...(health === undefined ? {} : { health: healthDocument(health) }),
  }
}

function sinceIn(answer: Sync | Health): JsonRecord {
  const since = sinceOf(answer)
  return since === undefined ? {} : { since: new Date(since).toISOString() }
}

/** Since when, ms. Only the service knows it. */
function sinceOf(answer: Sync | Health): number | undefined {
  return 'since' in answer && typeof answer.since === 'number' ? answer.since : undefined
}

function healthDocument(health: Health): JsonRecord {
  const { state, reason, details, restartCount, exitCode } = health
  return {
    state,
    reason,
    ...sinceIn(health),
    ...(restartCount === undefined ? {} : { restartCount }),
    ...(exitCode === undefined ? {} : { exitCode }),
    ...(details === undefined ? {} : { details: [...details] }),
  }
}

export function statusDocument(status: Status): JsonRecord {
  return {
    [status.kind]: status.name,
    namespace: status.namespace,
    version: status.version,
    status: status.state,
    ...answersIn(status),
    run: status.run,
    since: new Date(status.since).toISOString(),
    path: status.path,
    engine: status.engine ?? null,
    ...(status.warnings?.length ? { warnings: [...status.warnings] } : {}),
    notes: [...(status.notes ?? [])],
    kept: (status.kept ?? []).map(({ ref, why }) => ({
      kind: kindOf(ref),
      name: nameOf(ref),
      why,
    })),
    resources: status.resources.map(({ ref, state, reason, drift, ...answers }) => ({
      kind: kindOf(ref),
      name: nameOf(ref),
      status: state,
      reason,
      ...answersIn(answers),
      drift: drift.map(({ path, from, to }) =>
        looksSecret(path) ? { path, from: hidden, to: hidden } : { path, from, to },
      ),
    })),
  }
}
