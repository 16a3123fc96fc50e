/** Drift: the declaration did not change, what runs did. Only signals that Podman tells reliably count. */
import type { Difference } from '#model/domain.ts'
import type { Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import { isDown, liveContainer, livePod, liveSecret, type LiveContainer } from '../live.ts'
import { isJob } from '../look/subject.ts'
import type { ContainerSpec } from '../spec.ts'
import { containerSpecOf, podSpecOf } from '../spec-of.ts'

type Drift = { readonly cause: string; readonly change?: Change; readonly mustReplace?: boolean }

export function driftOf(wanted: Resource, seen: Present): Difference {
  const drifts = [...signalsOf(wanted, seen)]
  if (seen.spares.length > 0) drifts.push({ cause: 'a run that was cut off left something behind' })
  const [first] = drifts
  if (first === undefined) return { kind: 'same' }
  return {
    kind: 'changed',
    how: drifts.some(({ mustReplace }) => mustReplace === true) ? 'replace' : 'update',
    cause: drifts.map(({ cause }) => cause).join('; '),
    changes: drifts.flatMap(({ change }) => change ?? []),
  }
}

function signalsOf(wanted: Resource, seen: Present): readonly Drift[] {
  switch (kindOf(wanted.ref)) {
    case 'container':
      return ofContainer(containerSpecOf(wanted.spec), liveContainer(seen.live))
    case 'pod':
      return ofPod(wanted, seen)
    case 'secret':
      return ofSecret(seen)
    default:
      return []
  }
}

function ofContainer(spec: ContainerSpec, live: LiveContainer): readonly Drift[] {
  const drifts: Drift[] = []
  if (live.tagId !== '' && live.imageId !== live.tagId) {
    const change = { path: 'image', from: short(live.imageId), to: short(live.tagId) }
    drifts.push({ cause: `${spec.image} is another image now`, change, mustReplace: true })
  }
  if (live.name !== spec.object) {
    const change = { path: 'name', from: live.name, to: spec.object }
    drifts.push({ cause: `it is called ${live.name}`, change })
  }
  const stopped = stoppedWords(spec, live)
  if (stopped !== undefined) {
    drifts.push({ cause: stopped, change: { path: 'state', from: live.state, to: 'running' } })
  }
  for (const network of missingNetworks(spec, live)) {
    const change = { path: `networks[${network}]`, from: null, to: 'connected' }
    drifts.push({ cause: `it is not on network ${network}`, change })
  }
  return drifts
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
    const change = { path: `networks[${network}]`, from: null, to: 'connected' }
    drifts.push({ cause: `it is not on network ${network}`, change })
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

function short(id: string): string {
  return id.slice(0, 12)
}
