/** One pass over a fleet, under its lease: rows are read, the road is taken, and what came of it is looked at. */
import { reconcile } from '#engine/reconcile.ts'
import { requestOf, type Request } from '#engine/request.ts'
import type { Application } from '#model/application.ts'
import type { ClusterRow, Clusters } from '#model/clusters.ts'
import type { Event, Trigger } from '#model/event.ts'
import { Problem } from '#model/problem.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Lease, Leases } from '#model/store.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { progressLines } from '#domains/fleet/progress-lines.ts'
import { renderFleet } from '#domains/fleet/render.ts'
import { sightsOf, type Sights } from '#domains/fleet/sight.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { Site, Wishes } from '#domains/fleet/site.ts'
import { straysOf, strayWords } from '#domains/fleet/strays.ts'
import { summaryOf, type Ended, type SummaryItem } from '#domains/fleet/summary.ts'
import { verified, verifyCode, type Verified } from '#domains/fleet/verify.ts'
import type { Flags } from '../arguments/invocation.ts'
import { exitCodeOf } from '../exit-code.ts'
import type { Desk } from '../session.ts'
import { showRun } from '../show-run.ts'
import { localTime } from '../views/manner.ts'
import type { Story } from '../views/story.ts'
import { siteFor } from './site.ts'

export type Pass = {
  readonly story: Story
  readonly summary: readonly SummaryItem[]
  /** Undefined when the run ended before anything could be seen. */
  readonly verified: Verified | undefined
  readonly code: number
}

export type PassInput = {
  readonly clusters: Clusters
  readonly settings: FleetSettings
  readonly wishes: Wishes
  readonly doing: string
  readonly isDryRun: boolean
  /** Of whoever makes several passes that nobody may come between. */
  readonly lease?: Lease
  /** Told of everything as it happens. */
  readonly hear?: (event: Event) => void
  /** What made the pass begin; `manual` unless said. */
  readonly trigger?: Trigger
}

export function applicationOf(settings: FleetSettings): Application {
  return { kind: 'fleet', namespace: null, name: settings.name ?? 'fleet' }
}

/** A dry run touches nothing and needs nobody's leave. */
export async function pass(input: PassInput, flags: Flags, desk: Desk): Promise<Pass> {
  if (input.isDryRun) return travel(input, nobody, flags, desk)
  const lease = input.lease ?? (await leaseOf(input, flags, desk))
  try {
    const held: Leases = { take: async () => ({ lost: lease.lost, release: async () => {} }) }
    return await travel(input, held, flags, desk)
  } finally {
    if (input.lease === undefined) await lease.release()
  }
}

const nobody: Leases = {
  take: async () => ({ lost: new AbortController().signal, release: async () => {} }),
}

const pause = 250

/** There is one fleet in a database, whatever settings call it. */
const leaseKey = 'fleet'

/** Taken before the rows are read: while one waits, another may change them. */
export async function leaseOf(
  { clusters }: Pick<PassInput, 'clusters'>,
  flags: Flags,
  { session, screen, signal }: Desk,
): Promise<Lease> {
  const { clock, holder } = session
  const deadline = clock.now() + flags.timeout
  for (let isTold = false; ; isTold = true) {
    const taken = await clusters.leases.take(leaseKey, holder)
    if ('release' in taken) return taken
    const since = localTime(taken.since)
    if (!isTold) screen.note(`Waiting for another run to end: ${taken.name}, since ${since}`)
    if (clock.now() >= deadline) {
      throw new Problem({
        type: 'runtime',
        code: 'held',
        message: `another run of this fleet goes on: ${taken.name}`,
        suggestion: 'wait for it to end; a killed one lets go by itself within seconds',
      })
    }
    await clock.sleep(pause, signal)
  }
}

async function travel(input: PassInput, leases: Leases, flags: Flags, desk: Desk): Promise<Pass> {
  const { clusters, settings, wishes } = input
  const site = await siteFor(clusters, settings, wishes, desk.session)
  try {
    return await travelled(site, input, leases, flags, desk)
  } finally {
    site.close()
  }
}

async function travelled(
  site: Site,
  input: PassInput,
  leases: Leases,
  flags: Flags,
  desk: Desk,
): Promise<Pass> {
  const { clusters, wishes } = input
  const { session, screen, signal } = desk
  const { store } = await session.memory()
  const request = await requestFor(site, input, flags, desk)
  const kind = fleetKind(wishes.recreates)
  const parts = { kind, target: fleetTarget(site), clock: session.clock, store, leases }
  const isWatched = screen.live !== undefined || screen.format !== 'table' || flags.isVerbose
  const lineOf = isWatched || input.isDryRun ? undefined : progressLines()
  const events = noting(reconcile(request, parts, signal), input, (event) => {
    const line = lineOf?.(event)
    if (line !== undefined) screen.note(line)
    input.hear?.(event)
  })
  const story = await showRun(
    events,
    {
      doing: input.doing,
      subject: clusters.file,
      isVerbose: flags.isVerbose,
      explains: true,
      paint: screen.paint,
      before: undefined,
      apply:
        flags.fleet.isFromDb || wishes.mode !== 'reconcile'
          ? 'Run without --dry-run to apply changes'
          : 'Run with --from-db in place of --dry-run to apply changes',
      time: localTime,
    },
    flags.isVerbose ? screen : { ...screen, format: 'json' },
  )
  return judged(site, story, input, desk)
}

async function requestFor(
  site: Site,
  { clusters, isDryRun, trigger = 'manual' }: PassInput,
  flags: Flags,
  { session }: Desk,
): Promise<Request> {
  const application = applicationOf(site.settings)
  const { store } = await session.memory()
  const known = await store.application(application)
  const rendered = renderFleet({ ...site, database: clusters.file })
  const { timeout, concurrency, allowEmpty, allowMassDelete } = flags
  const none = { recreateVolumes: false, pruneVolumes: false }
  return requestOf({
    application,
    instance: session.instance,
    trigger,
    isDryRun,
    render: () => rendered,
    revision: rendered.version,
    since: known?.since ?? session.clock.now(),
    source: { database: clusters.file, mode: site.wishes.mode },
    holder: session.holder,
    // one cluster that fails is nobody else's trouble
    options: {
      ...none,
      isAtomic: false,
      removesAnyway: true,
      waits: true,
      timeout,
      concurrency,
      allowEmpty,
      allowMassDelete,
    },
  })
}

/** What failed is said in its row too, as it happens. */
async function* noting(
  events: AsyncIterable<Event>,
  { clusters, isDryRun }: PassInput,
  hear: (event: Event) => void,
): AsyncIterable<Event> {
  for await (const event of events) {
    if (!isDryRun && event.type === 'group' && event.phase === 'failed') {
      const { ref, problem } = event
      const lines = [problem?.message ?? 'it failed', ...(problem?.details ?? [])]
      if (kindOf(ref) === 'cluster') {
        const error = lines.slice(0, 21).join('\n')
        // a row that can't be written fails those who must write it; the others go on and are told of
        await clusters
          .mark(nameOf(ref), { actual: 'failed', status: 'Failed', error })
          .catch(() => undefined)
      }
    }
    hear(event)
    yield event
  }
}

/** The exit code of a dry run that found something to do. */
const driftFound = 3

async function judged(site: Site, story: Story, input: PassInput, desk: Desk): Promise<Pass> {
  const { clusters, settings, wishes, isDryRun } = input
  const failure = exitCodeOf(story, true)
  if (story.plan === undefined) {
    return { story, summary: [], verified: undefined, code: failure }
  }
  const isUntouched = isDryRun || story.plan.groups.length === 0
  const after = isUntouched ? site : await siteFor(clusters, settings, wishes, desk.session)
  const known = isUntouched ? (site.memory.sights ?? new Map()) : undefined
  const sights = known ?? (await sightsAfter(after, site, desk.signal))
  const seen = verified(after, sights)
  if (wishes.mode === 'reconcile' && !desk.signal.aborted) {
    const words = strayWords(await straysOf(after, desk.signal))
    if (words !== '') desk.screen.note(`Warning: ${words}`)
  }
  const summary = summaryOf({
    rows: site.declared.rows,
    plan: story.plan,
    ended: endedOf(story),
    isDryRun,
    records: new Map(seen.records.map((record) => [record.name, record])),
  })
  const isSkipped = desk.session.environment['SKIP_DB_VERIFY'] === '1'
  const seenCode = wishes.mode === 'reconcile' ? verifyCode(seen) : 0
  const verdict = isSkipped ? 0 : isDryRun && seenCode !== 0 ? driftFound : seenCode
  // what is only noted down is nothing that anybody would have to look at
  const isNoted = failure === driftFound && !summary.some(({ result }) => result === 'planned')
  const isTold = failure === 1 && seenCode !== 0 && isOnlyDrift(story)
  const code = isNoted || isTold ? 0 : failure
  return { story, summary, verified: seen, code: code === 0 ? verdict : code }
}

const lastLook = 10_000

/** Who was interrupted takes one short look: what was made before that is there, whatever the plan says. */
async function sightsAfter(after: Site, before: Site, signal: AbortSignal): Promise<Sights> {
  const isPresent = ({ desired }: ClusterRow): boolean => desired === 'present'
  if (!signal.aborted) return sightsOf(after, isPresent, signal)
  try {
    return await sightsOf(after, isPresent, AbortSignal.timeout(lastLook))
  } catch {
    return before.memory.sights ?? new Map()
  }
}

/** Nothing failed: some clusters are left as they are until somebody says what is to become of them, with what hangs on them. */
function isOnlyDrift({ plan, groups, ended }: Story): boolean {
  const skipped = plan?.skipped ?? []
  if (ended?.outcome === 'interrupted' || groups.some(({ phase }) => phase === 'failed'))
    return false
  return (
    skipped.length > 0 &&
    skipped.every(({ problem }) => ['name_taken', 'gone', 'needs_failed'].includes(problem.code))
  )
}

function endedOf({ groups }: Story): ReadonlyMap<Ref, Ended> {
  return new Map(groups.map(({ group, phase, problem }) => [group.ref, { phase, problem }]))
}
