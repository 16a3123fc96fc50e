/** Drift: the declaration did not change, what runs did. Only signals that engines tell reliably count. */
import { containerDrifts, drifted, type Drift } from '#domains/containers/changes.ts'
import { textOf } from '#model/read-json.ts'
import type { Difference } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import { liveContainer, type LiveContainer } from '../live-state.ts'
import { changedSettings } from '../settings.ts'
import { contentDrifts } from './contents.ts'
import { serviceSpecOf, type RecordedService } from '../spec-of.ts'

export function driftOf(wanted: Resource, seen: Present): Difference {
  if (kindOf(wanted.ref) !== 'container') return drifted([], seen)
  const [spec, live] = [serviceSpecOf(wanted.spec), liveContainer(seen.live)]
  const { image, object } = spec
  const [stopped, missing] = [stoppedWords(spec, live), missingNetworks(spec, live)]
  const nameField = 'container_name'
  const { pinned } = wanted
  const expected = { image, pinned, object, nameField, stopped, missingNetworks: missing }
  const drifts = [
    ...containerDrifts(expected, live),
    ...byHand(spec, live),
    ...contentDrifts(wanted, seen),
  ]
  return drifted(drifts, seen)
}

/** Networks that it was put on, and what `docker update` changed. */
function byHand(spec: RecordedService, live: LiveContainer): readonly Drift[] {
  return [
    ...extraNetworks(spec, live).map((network) => ({
      cause: `it is on network ${network}`,
      change: { path: `networks[${network}]`, from: 'connected', to: null },
    })),
    ...changedSettings(spec, live.settings).map(({ path, from, to, isGone }) => ({
      cause: `${path} is ${from} on the container`,
      change: { path, from, to },
      mustReplace: isGone,
    })),
  ]
}

/** Undefined when it runs, or did what it was for. */
export function stoppedWords(spec: RecordedService, live: LiveContainer): string | undefined {
  if (live.state === 'running' || live.state === 'restarting') return undefined
  if (live.state === 'paused') return 'it is paused'
  if (live.state === 'created' || live.state === 'initialized') return 'it was never started'
  if (isOneShot(spec) && live.exitCode === 0) return undefined
  return `it has stopped (exit code ${live.exitCode})`
}

/** Ending well is well: somebody waits for its end, or nothing says that it is to stay. */
export function isOneShot(spec: RecordedService): boolean {
  if (spec.awaited === 'completed') return true
  const stays =
    !['no', 'on-failure'].includes(restartOf(spec)) ||
    (spec.service.ports ?? []).length > 0 ||
    spec.service.healthcheck?.test !== undefined
  return !stays
}

/** `restart`, or in its absence what `deploy` says, in the words of the former without a count. */
export function restartOf({ service }: RecordedService): string {
  const [restart = ''] = textOf(service.restart).split(':')
  if (restart !== '') return restart
  const { restart_policy: policy = {} } = service.deploy ?? {}
  if (Object.keys(policy).length === 0) return 'no'
  const condition = textOf(policy.condition)
  if (condition === 'none') return 'no'
  return condition === 'on-failure' ? condition : 'always'
}

export function missingNetworks(spec: RecordedService, live: LiveContainer): readonly string[] {
  return spec.networks.map(({ network }) => network).filter((name) => !live.networks.includes(name))
}

/** Without networks of its own it is in somebody's namespace, or on the engine's own network. */
export function extraNetworks(spec: RecordedService, live: LiveContainer): readonly string[] {
  if (spec.networks.length === 0) return []
  return live.networks.filter((name) => !spec.networks.some(({ network }) => network === name))
}
