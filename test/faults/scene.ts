/** A chart of ten resources in two versions, and how it is installed, upgraded and removed on any Podman. */
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Podman } from '#clients/podman/client.ts'
import { chartsKind, chartsTarget } from '#domains/charts/domain.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { input, manifest } from '../fake/chart.ts'
import type { Clock } from '#model/clock.ts'
import type { Event } from '#model/event.ts'
import type { Rendered } from '#model/domain.ts'
import { endOf } from '../fake/run.ts'
import { watchedMemory } from './memory-history.ts'

export type Version = 'first' | 'second'

/**
 * Two networks, two volumes, two secrets, four containers. The second version changes a secret, a network, an image mark,
 * leaves one container alone, drops one and adds one: every kind of step is in it.
 */
export function filesOf(version: Version, port: number): Readonly<Record<string, string>> {
  const isFirst = version === 'first'
  const image = 'image: localhost/tend/busybox:1'
  const sleeps = 'command: ["/bin/sleep", "1000"]\nstopTimeoutSeconds: 0'
  return {
    'templates/shared.yaml': [
      manifest(
        'CuteNetwork',
        'inner',
        `driver: bridge\noptions: {mtu: "${isFirst ? 1400 : 1300}"}`,
      ),
      manifest('CuteNetwork', isFirst ? 'outer' : 'edge', 'driver: bridge'),
      manifest('CuteVolume', 'data', 'type: volume\nvolume: {}'),
      manifest('CuteVolume', 'cache', 'type: volume\nvolume: {}'),
      manifest('CuteSecret', 'login', `stringData: {USER: me, PASS: ${isFirst ? 'one' : 'two'}}`),
      manifest('CuteSecret', 'token', 'stringData: {TOKEN: abc}'),
    ].join('---\n'),
    'templates/containers.yaml': [
      manifest(
        'CuteContainer',
        'database',
        `${image}\n${sleeps}\nvolumes: [{name: data, mountPath: /data}]\nnetworks: [inner]\nsecrets: [{name: login, env: true}]`,
      ),
      manifest(
        'CuteContainer',
        'web',
        `${image}\n${sleeps}\nenv: [{name: MARK, value: ${version}}]\nports: [{containerPort: 80, hostPort: ${port}}]\nnetworks: [inner, ${isFirst ? 'outer' : 'edge'}]\ndependsOn: [{name: database, condition: started}]`,
      ),
      manifest(
        'CuteContainer',
        'steady',
        `${image}\n${sleeps}\nvolumes: [{name: cache, mountPath: /cache}]\nsecrets: [{name: token, path: /run/token}]`,
      ),
      manifest('CuteContainer', isFirst ? 'old' : 'new', `${image}\n${sleeps}\nnetworks: [inner]`),
    ].join('---\n'),
  }
}

export function chartOf(version: Version, port: number): Rendered {
  const rendered = renderChart(input(filesOf(version, port)))
  const [problem] = rendered.problems
  if (problem !== undefined) throw new Error(problem.message)
  return rendered
}

export type Deed = Version | 'uninstall'

/** Real time, but waits are short: the sweep makes thousands of runs. */
export function quickClock(): Clock {
  return {
    now: () => Date.now(),
    async sleep(milliseconds, signal) {
      signal.throwIfAborted()
      await new Promise((resolve) => setTimeout(resolve, Math.min(milliseconds, 2)))
      signal.throwIfAborted()
    },
    random: () => 0,
  }
}

export async function perform(
  podman: Podman,
  deed: Deed,
  port: number,
  clock: Clock,
): Promise<readonly Event[]> {
  const request: Request = {
    application: { kind: 'chart', namespace: null, name: 'my-app' },
    instance: 'test',
    trigger: 'manual',
    isDryRun: false,
    isUninstall: deed === 'uninstall',
    render: () => chartOf(deed === 'uninstall' ? 'first' : deed, port),
    revision: deed,
    since: 0,
    source: null,
    holder: 'a test',
    options: {
      isAtomic: true,
      waits: true,
      timeout: 20_000,
      concurrency: 4,
      allowEmpty: false,
      allowMassDelete: false,
      recreateVolumes: false,
      pruneVolumes: false,
    },
  }
  const memory = watchedMemory()
  const parts = {
    kind: chartsKind,
    target: chartsTarget(podman),
    clock,
    store: memory.store,
    leases: memory.leases,
  }
  const events: Event[] = []
  for await (const event of reconcile(request, parts, new AbortController().signal)) {
    events.push(event)
  }
  memory.check(deed)
  return events
}

export function wentWell(events: readonly Event[]): boolean {
  return endOf(events).outcome === 'succeeded'
}

/** Why not, in one line, for the message of an assertion. */
export function whyNot(events: readonly Event[]): string {
  const problems = events.flatMap((event) =>
    (event.type === 'group' || event.type === 'problem') && event.problem !== undefined
      ? [event.problem.message]
      : [],
  )
  return `${endOf(events).outcome}: ${problems.join('; ')}`
}
