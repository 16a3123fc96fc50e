/** The applications of the service: the tables of `tend get`. */
import type { HealthState } from '#model/assessment.ts'
import type { AppStatus, SourceStatus, State } from '#model/service.ts'
import type { AppRun, RunRecord } from '#model/store.ts'
import { columns } from './columns.ts'
import { harmless, mark, type Indicator, type Paint } from './paint.ts'
import { changeWords, outcomeWords, shownVersion } from './listing.ts'
import { ago, span } from './time.ts'
import { seconds } from './labels.ts'
import { defined } from '#model/defined.ts'

const signs = {
  missing: ['-', 'dim'],
  syncing: ['→', 'blue'],
  synced: ['✓', 'green'],
  deleting: ['→', 'blue'],
  failed: ['✗', 'red'],
  drifted: ['~', 'yellow'],
  suspended: ['-', 'dim'],
} as const satisfies Record<State, readonly [Indicator, Parameters<Paint>[0]]>

export function stateText(state: State, paint: Paint): string {
  const [sign, colour] = signs[state]
  return paint(colour, `${sign} ${state}`)
}

const healthSigns = {
  healthy: ['✓', 'green'],
  progressing: ['→', 'blue'],
  degraded: ['~', 'yellow'],
  failed: ['✗', 'red'],
  unknown: ['-', 'dim'],
} as const satisfies Record<HealthState, readonly [Indicator, Parameters<Paint>[0]]>

function healthText(state: HealthState, paint: Paint): string {
  const [sign, colour] = healthSigns[state]
  return paint(colour, `${sign} ${state}`)
}

/** Reasons stand below the row of an application: they are long, and most rows have none. */
export function appLines(apps: readonly AppStatus[], now: number, paint: Paint): readonly string[] {
  const [heading = '', ...rows] = columns(
    ['NAME', 'KIND', 'STATUS', 'HEALTH', 'REVISION', 'CONTAINERS', 'SYNCED', 'SOURCE'],
    apps.map((app) => [
      nameOf(app),
      app.application.kind,
      stateText(app.state, paint),
      healthText(app.health.state, paint),
      revisionOf(app),
      containersOf(app),
      app.synced === undefined ? '-' : ago(now - app.synced.at),
      sourceOf(app),
    ]),
  )
  return [
    heading,
    ...rows.flatMap((row, index) => [row, ...furtherOf(defined(apps[index]), now, paint)]),
  ]
}

function nameOf({ application: { name, namespace } }: AppStatus): string {
  return namespace === null ? name : `${namespace}/${name}`
}

/** The revision that runs and, where another one is wanted, that one behind an arrow. */
function revisionOf({ synced, desired }: AppStatus): string {
  const now = synced === undefined ? '-' : short(synced.revision)
  const isBehind = desired !== undefined && desired.hash !== synced?.hash
  const next = desired === undefined ? now : short(desired.revision)
  return isBehind && next !== now ? `${now} → ${next}` : now
}

export function short(revision: string): string {
  return revision === '' ? '-' : revision.slice(0, 7)
}

function containersOf({ containers: { running, total, completed = 0 } }: AppStatus): string {
  if (total === 0) return completed === 0 ? '-' : `${completed} completed`
  return `${running}/${total}`
}

function sourceOf({ source: { shown, ref, path } }: AppStatus): string {
  return [shown, ref, path].filter((word) => word !== '').join(' ') || '-'
}

function furtherOf(app: AppStatus, now: number, paint: Paint): readonly string[] {
  const { reason, nextTry, needsAcknowledgement, health, warnings = [] } = app
  const isNews = ['degraded', 'failed', 'progressing'].includes(health.state)
  // of a run that failed the health says the same, and which container it stopped
  const isSame = reason !== '' && health.reason.endsWith(reason)
  const isTold = !isNews || health.reason === '' || isSame
  const isSoon = nextTry !== undefined && nextTry > now
  const words = [
    ...(reason === '' ? [] : [harmless(reason)]),
    ...(isTold ? [] : [`health: ${harmless(health.reason)}, ${span(now - health.since)}`]),
    ...(isSoon ? [`tried again in ${span(nextTry - now)}`] : []),
    ...(needsAcknowledgement ? [`accept it with: tend ack ${nameOf(app)}`] : []),
  ]
  const warned = warnings.slice(0, mostWarnings).map((text) => `warning: ${harmless(text)}`)
  const left = warnings.length - warned.length
  const more = left === 0 ? [] : [`and ${left} more warnings: tend status ${nameOf(app)}`]
  return [
    ...words.map((word) => paint('dim', `  ${word}`)),
    ...[...warned, ...more].map((word) => paint('yellow', `  ${word}`)),
  ]
}

/** How many warnings of each application a list shows. */
const mostWarnings = 3

export function sourceLines(
  sources: readonly SourceStatus[],
  now: number,
  paint: Paint,
): readonly string[] {
  const [heading = '', ...rows] = columns(
    ['SOURCE', 'REF', 'REVISION', 'MESSAGE', 'ASKED', 'STATUS'],
    sources.map((source) => [
      source.shown,
      source.ref === '' ? '-' : source.ref,
      short(source.revision),
      cut(harmless(source.message)),
      source.at === 0 ? '-' : ago(now - source.at),
      sourceState(source.state, paint),
    ]),
  )
  return [
    heading,
    ...rows.flatMap((row, index) => {
      const words = wordsOn(defined(sources[index]), now)
      return [row, ...words.filter((text) => text !== '').map(below)]
    }),
  ]
  function below(text: string): string {
    return paint('dim', `  ${harmless(text)}`)
  }
}

function wordsOn({ problem, revision, rewritten }: SourceStatus, now: number): readonly string[] {
  const kept = revision === '' ? '' : `what was read before stays in force: ${short(revision)}`
  const trouble = problem === undefined ? [] : [problem.message, problem.suggestion ?? '', kept]
  if (rewritten === undefined) return trouble
  const { from, at } = rewritten
  const news = `history was rewritten: ${short(revision)} does not come from ${short(from)}, which was read before (${ago(now - at)})`
  return [...trouble, news]
}

function sourceState(state: SourceStatus['state'], paint: Paint): string {
  if (state === 'failed') return `${mark('✗', paint)} failed`
  return state === 'completed' ? `${mark('✓', paint)} read` : `${mark('→', paint)} ${state}`
}

function cut(text: string): string {
  return text.length <= 50 ? text || '-' : `${text.slice(0, 49)}…`
}

/** `busy` are the keys of applications with a run under way, which is the newest of each. */
export function runLines(
  runs: readonly AppRun[],
  now: number,
  paint: Paint,
  busy: ReadonlySet<string> = new Set(),
): readonly string[] {
  const newest = new Map<string, number>()
  for (const { key, run } of runs) newest.set(key, Math.max(run.number, newest.get(key) ?? 0))
  const isUnderWay = ({ key, run }: AppRun): boolean =>
    busy.has(key) && newest.get(key) === run.number
  return columns(
    ['APP', 'RUN', 'WHEN', 'TRIGGER', 'VERSION', 'OUTCOME', 'CHANGES', 'DURATION'],
    runs.map(({ key, run }) => [
      key,
      String(run.number),
      ago(now - run.startedAt),
      run.trigger,
      shownVersion(run.version),
      paint(colourOf(run), outcomeWords(run, isUnderWay({ key, run }))),
      changeWords(run),
      run.endedAt === undefined ? '-' : seconds(run.endedAt - run.startedAt),
    ]),
  )
}

function colourOf({ outcome }: RunRecord): Parameters<Paint>[0] {
  if (outcome === 'succeeded') return 'green'
  return outcome === undefined ? 'blue' : 'red'
}
