/** Writes down what happens to applications and sources, for the time-line: changes of state, runs, commits, broken sources. */
import type { RunRow } from '#model/api.ts'
import type { Clock } from '#model/clock.ts'
import type { Log } from '#model/log.ts'
import type { EventOf } from '#model/event.ts'
import { problemOf } from '#model/problem.ts'
import type { AppStatus, Service, ServiceEvent, SourceStatus } from '#model/service.ts'
import type { KeptEntry, TimelineLog } from '#model/timeline.ts'

const keptFor = 90 * 86_400_000
const mostRows = 200_000
/** Rows between two looks for what is too old. */
const forgetEvery = 1_000

type TimelineRecorder = {
  see(event: ServiceEvent): void
  /** What others know of: alerts. */
  keep(entry: KeptEntry): void
}

export function recordTimeline(
  service: Pick<Service, 'apps' | 'runPage' | 'sourceRows'>,
  timeline: TimelineLog,
  clock: Pick<Clock, 'now'>,
  log: Log,
  isOwn: (event: ServiceEvent) => boolean = () => true,
): TimelineRecorder {
  const apps = new Map<string, AppStatus>(service.apps().map((status) => [status.key, status]))
  const sources = new Map<string, SourceStatus>()
  let written: Promise<void> = Promise.resolve()
  let rows = 0
  /** What is seen now happened to what another replica looks after, which writes it down. */
  let isOthers = false

  /** In order, and never in anybody's way: a time-line that can't be written is a line in the log. */
  function keep(entry: KeptEntry | Promise<KeptEntry | undefined>): void {
    if (isOthers) return
    written = written
      .then(async () => {
        const found = await entry
        if (found === undefined) return
        if (rows % forgetEvery === 0) await timeline.forgetOld(clock.now() - keptFor, mostRows)
        rows += 1
        await timeline.append(found)
      })
      .catch((thrown: unknown) => {
        log('warning', 'the time-line could not be written', { why: problemOf(thrown).message })
      })
  }

  function seeApp(status: AppStatus): void {
    const { key, sync, health } = status
    const before = apps.get(key)
    apps.set(key, status)
    const at = clock.now()
    if (before === undefined) return
    if (before.health.state !== health.state && health.state !== 'unknown') {
      const tone = {
        healthy: 'good',
        progressing: 'neutral',
        degraded: 'bad',
        failed: 'bad',
      } as const
      const why = health.reason === '' ? '' : `: ${health.reason}`
      keep({
        at,
        type: 'health',
        key,
        text: `it is ${health.state}${why}`,
        tone: tone[health.state],
      })
    }
    if (
      before.sync.state !== sync.state &&
      (sync.state === 'drifted' || sync.state === 'missing')
    ) {
      const why = sync.reason === '' ? '' : `: ${sync.reason}`
      const word = sync.isBehind === true ? 'behind' : sync.state
      keep({ at, type: 'sync', key, text: `it is ${word}${why}`, tone: 'bad' })
    }
  }

  async function runEntry(key: string, event: EventOf<'ended'>): Promise<KeptEntry | undefined> {
    const isMeant = (): boolean => true
    // without the history the time-line shows the event alone
    const runs = await service.runPage({ app: key, limit: 5, isMeant }).catch(() => [])
    const gapOf = ({ startedAt }: RunRow): number =>
      Math.abs(startedAt + event.milliseconds - event.at)
    // a declaration that was refused while it ran has a later number
    const [run] = runs
      .filter(({ outcome = event.outcome }) => outcome === event.outcome)
      .toSorted((a, b) => gapOf(a) - gapOf(b))
    // one that found nothing to do is not recorded
    if (run === undefined || gapOf(run) > 60_000) return undefined
    const { created, updated, deleted, failed } = event.summary
    const counts = Object.entries({ created, updated, deleted, failed }).filter(
      ([, count]) => count > 0,
    )
    const what = counts.map(([word, count]) => `${count} ${word}`).join(', ')
    const how = event.isRolledBack ? `${event.outcome} and went back` : event.outcome
    return {
      at: event.at,
      type: 'run',
      key,
      text: `run ${run.number} (${run.trigger}) ${how}${what === '' ? '' : `: ${what}`}`,
      tone: event.outcome === 'succeeded' ? 'good' : 'bad',
      run: run.number,
      duration: event.milliseconds,
      ...(run.by === undefined ? {} : { by: run.by }),
      ...(run.commit === undefined ? {} : { commit: run.commit }),
    }
  }

  function seeSource(status: SourceStatus): void {
    const name = `${status.shown} ${status.ref}`
    const before = sources.get(name)
    if (status.state === 'refreshing' || status.state === 'queued') return
    sources.set(name, status)
    const at = clock.now()
    const where = status.ref === '' ? status.shown : `${status.shown} (${status.ref})`
    if (status.problem !== undefined && before?.problem?.message !== status.problem.message) {
      keep({
        at,
        type: 'source',
        text: `${where} can't be read: ${status.problem.message}`,
        tone: 'bad',
      })
    }
    if (status.problem === undefined && before?.problem !== undefined) {
      keep({ at, type: 'source', text: `${where} can be read again`, tone: 'good' })
    }
    if (before === undefined || before.revision === status.revision) return
    const row = service
      .sourceRows()
      .find((one) => one.shown === status.shown && one.ref === status.ref)
    const commit = row?.commit === undefined ? {} : { commit: row.commit }
    keep({ at, type: 'commit', text: `${where}: ${status.message}`, tone: 'neutral', ...commit })
  }

  function see(event: ServiceEvent): void {
    isOthers = !isOwn(event)
    seeOne(event)
    isOthers = false
  }

  function seeOne(event: ServiceEvent): void {
    if (event.type === 'app') seeApp(event.status)
    if (event.type === 'source') seeSource(event.status)
    if (event.type === 'run' && event.event.type === 'ended') keep(runEntry(event.key, event.event))
    if (event.type !== 'gone' || !apps.delete(event.key)) return
    const text = 'it is no longer looked after'
    keep({ at: event.at, type: 'sync', key: event.key, text, tone: 'neutral' })
  }
  return { see, keep }
}
