/** Drift: the declaration did not change, what runs did. Only signals that Podman tells reliably count. */
import { containerDrifts, drifted, offNetwork, type Drift } from '#domains/containers/changes.ts'
import type { Difference } from '#model/domain.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import { isDown, liveContainer, livePod, liveSecret, type LiveContainer } from '../live-state.ts'
import { isJob } from '../look/subject.ts'
import type { ContainerSpec } from '../spec.ts'
import { containerSpecOf, podSpecOf } from '../spec-of.ts'

export function driftOf(wanted: Resource, seen: Present): Difference {
  return drifted(signalsOf(wanted, seen), seen)
}

function signalsOf(wanted: Resource, seen: Present): Iterable<Drift> {
  switch (kindOf(wanted.ref)) {
    case 'container':
      return ofContainer(wanted, liveContainer(seen.live))
    case 'pod':
      return ofPod(wanted, seen)
    case 'secret':
      return ofSecret(seen)
    default:
      return []
  }
}

function ofContainer({ spec: wanted, pinned }: Resource, live: LiveContainer): Iterable<Drift> {
  const spec = containerSpecOf(wanted)
  const { image, object } = spec
  const [stopped, missing] = [stoppedWords(spec, live), missingNetworks(spec, live)]
  const expected = { image, pinned, object, nameField: 'name', stopped, missingNetworks: missing }
  return containerDrifts(expected, live)
}

/** Undefined when it runs, or did what it was for. */
export function stoppedWords(spec: ContainerSpec, live: LiveContainer): string | undefined {
  if (live.state === 'running' || live.state === 'stopping') return undefined
  if (live.state === 'paused') return 'it is paused'
  if (live.state === 'created' || live.state === 'configured' || live.state === 'initialized') {
    return 'it was never started'
  }
  if (spec.init === 'always' && live.isPodDown) return 'its pod starts again'
  if (isJob(spec) && live.exitCode === 0) return undefined
  return `it has stopped (exit code ${live.exitCode})`
}

/** In a pod they are the pod's. */
export function missingNetworks(spec: ContainerSpec, live: LiveContainer): readonly string[] {
  if (spec.pod !== undefined) return []
  return spec.networks.map(({ network }) => network).filter((name) => !live.networks.includes(name))
}

function ofPod(wanted: Resource, seen: Present): readonly Drift[] {
  const spec = podSpecOf(wanted.spec)
  const live = livePod(seen.live)
  const drifts: Drift[] = []
  for (const { network } of spec.networks) {
    if (live.networks.includes(network)) continue
    drifts.push(offNetwork(network))
  }
  // before the first start there is nothing to mend: its members start it
  if (isDown(live.infraState)) {
    const change = { path: 'state', from: live.infraState, to: 'running' }
    drifts.push({ cause: 'it has stopped', change })
  }
  return drifts
}

function ofSecret(seen: Present): readonly Drift[] {
  return liveSecret(seen.live).missing.map((key) => ({
    cause: `the object of key ${key} is gone`,
    change: { path: `keys.${key}`, from: null, to: '******' },
  }))
}
