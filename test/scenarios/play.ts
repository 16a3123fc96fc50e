/** Plays a scenario on any Podman: what is there first, then the run that it is about, then the same run again. */
import type { Podman } from '#clients/podman/client.ts'
import { chartsKind, chartsTarget } from '#domains/charts/domain.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { input } from '../fake/chart.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Clock } from '#model/clock.ts'
import type { Event } from '#model/event.ts'
import type { Store } from '#model/store.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { endOf } from '../fake/run.ts'
import { byHand } from './by-hand.ts'
import type { Run, Scenario } from './scenario.ts'
import { sightOf, type Sight } from './sight.ts'

/** Where a scenario is played: `connect` gives a Podman of its own to a run that is to be killed. */
export type Stage = {
  readonly podman: Podman
  readonly clock: Clock
  /** Ports of this machine, as `port` and `otherPort` in values, and `{port}` in lines. */
  readonly ports: Readonly<Record<string, number>>
  connect(): Podman
}

export type Played = {
  readonly before: Sight
  readonly events: readonly Event[]
  readonly after: Sight
  /** The same once more, as a dry run; of what was rolled back: the last good one. */
  readonly again: readonly Event[]
}

export async function play(scenario: Scenario, stage: Stage): Promise<Played> {
  const { podman } = stage
  const store = memoryStore()
  let last: Run = {}
  for (const step of scenario.initial ?? []) {
    if ('hand' in step) await byHand(podman, filled(step.hand, stage))
    else if ('killed' in step) await cutOff(scenario, step.killed, stage, store)
    else {
      last = step.install
      const events = await perform(scenario, last, stage, store)
      if (endOf(events).outcome !== 'succeeded') throw new Error(`initial: ${whyNot(events)}`)
    }
  }
  const before = await sightOf(podman)
  const events = await perform(scenario, scenario.desired, stage, store)
  const after = await sightOf(podman)
  const next = endOf(events).isRolledBack ? last : scenario.desired
  const again = await perform(scenario, next, stage, store, { isDryRun: true })
  return { before, events, after, again }
}

/** `{port}` and `{otherPort}` stand for ports that are free here. */
export function filled(text: string, { ports }: Pick<Stage, 'ports'>): string {
  return text.replace(/\{(\w+)\}/g, (whole, name: string) => String(ports[name] ?? whole))
}

type More = { readonly isDryRun?: boolean; readonly podman?: Podman }

async function perform(
  scenario: Scenario,
  run: Run,
  { podman, clock, ports }: Stage,
  store: Store,
  more: More = {},
): Promise<readonly Event[]> {
  const namespace = run.namespace ?? null
  const values = { ...scenario.values, ...ports, ...run.values }
  const chart = input({
    'Chart.yaml': `name: my-app\nversion: ${run.version ?? '1.0.0'}\n`,
    'values.yaml': JSON.stringify(values),
    'templates/chart.yaml': run.chart ?? scenario.chart,
    ...scenario.files,
    ...run.files,
  })
  const request: Request = {
    application: { kind: 'chart', namespace, name: 'my-app' },
    instance: 'test',
    trigger: 'manual',
    isDryRun: more.isDryRun ?? false,
    isUninstall: run.isUninstall ?? false,
    render: () => renderChart({ ...chart, namespace }),
    revision: 'r1',
    since: chart.since,
    source: null,
    holder: 'a scenario',
    options: { ...usual, ...given(run.options ?? {}) },
  }
  const target = chartsTarget(more.podman ?? podman)
  const leases = memoryLeases(() => clock.now())
  const parts = { kind: chartsKind, target, clock, store, leases }
  const events: Event[] = []
  for await (const event of reconcile(request, parts, new AbortController().signal)) {
    events.push(event)
  }
  return events
}

const usual = {
  isAtomic: true,
  waits: true,
  timeout: 20_000,
  concurrency: 4,
  allowEmpty: false,
  allowMassDelete: false,
  recreateVolumes: false,
  pruneVolumes: false,
}

function given(options: NonNullable<Run['options']>): Partial<typeof usual> {
  return Object.fromEntries(Object.entries(options).filter(([, value]) => value !== undefined))
}

/** From the call that matches on nothing is sent and nothing heard, as when the process is gone. */
async function cutOff(
  scenario: Scenario,
  run: Run & { readonly at: string },
  stage: Stage,
  store: Store,
): Promise<void> {
  const podman = stage.connect()
  const fatal = new RegExp(run.at)
  const death = Promise.withResolvers<void>()
  let isDead = false
  const mortal: Podman = {
    ...podman,
    ask(method, path, asked) {
      if (isDead || fatal.test(`${method} ${path}`)) {
        isDead = true
        death.resolve()
        return new Promise<never>(() => undefined)
      }
      return podman.ask(method, path, asked)
    },
    stream: (method, path, asked) =>
      isDead ? new Promise<never>(() => undefined) : podman.stream(method, path, asked),
  }
  const outcome = await Promise.race([
    perform(scenario, run, stage, store, { podman: mortal }),
    death.promise,
  ])
  if (outcome !== undefined) throw new Error(`no call was like ${run.at}: ${whyNot(outcome)}`)
  // calls that were under way when it died come to their end
  await new Promise((resolve) => setTimeout(resolve, 200))
  podman.close()
}

function whyNot(events: readonly Event[]): string {
  const problems = events.flatMap((event) =>
    (event.type === 'group' || event.type === 'problem') && event.problem !== undefined
      ? [event.problem.message]
      : [],
  )
  return `${endOf(events).outcome}: ${problems.join('; ')}`
}
