/** Drift: the declaration did not change, what runs did. Only signals that engines tell reliably count. */
import { recordOf, recordsOf, textOf } from '#clients/http/read.ts'
import type { Difference } from '#model/domain.ts'
import type { Change } from '#model/plan.ts'
import { kindOf } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import { liveContainer, type LiveContainer } from '../live.ts'
import type { ServiceSpec } from '../spec.ts'
import { serviceSpecOf, type RecordedService } from '../spec-of.ts'

type Drift = { readonly cause: string; readonly change?: Change; readonly mustReplace?: boolean }

export function driftOf(wanted: Resource, seen: Present): Difference {
  const isContainer = kindOf(wanted.ref) === 'container'
  const drifts = isContainer
    ? [...signalsOf(serviceSpecOf(wanted.spec), liveContainer(seen.live))]
    : []
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

function* signalsOf(spec: ServiceSpec, live: LiveContainer): Iterable<Drift> {
  if (live.tagId !== '' && live.imageId !== live.tagId) {
    const change = { path: 'image', from: short(live.imageId), to: short(live.tagId) }
    yield { cause: `${spec.image} is another image now`, change, mustReplace: true }
  }
  if (live.name !== spec.object) {
    const change = { path: 'container_name', from: live.name, to: spec.object }
    yield { cause: `it is called ${live.name}`, change }
  }
  const stopped = stoppedWords(spec, live)
  if (stopped !== undefined) {
    yield { cause: stopped, change: { path: 'state', from: live.state, to: 'running' } }
  }
  for (const network of missingNetworks(spec, live)) {
    const change = { path: `networks[${network}]`, from: null, to: 'connected' }
    yield { cause: `it is not on network ${network}`, change }
  }
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
    recordsOf(spec.service['ports']).length > 0 ||
    recordOf(spec.service['healthcheck'])['test'] !== undefined
  return !stays
}

/** `restart`, or in its absence what `deploy` says, in the words of the former without a count. */
export function restartOf({ service }: RecordedService): string {
  const [restart = ''] = textOf(service['restart']).split(':')
  if (restart !== '') return restart
  const policy = recordOf(recordOf(service['deploy'])['restart_policy'])
  if (Object.keys(policy).length === 0) return 'no'
  const condition = textOf(policy['condition'])
  if (condition === 'none') return 'no'
  return condition === 'on-failure' ? condition : 'always'
}

export function missingNetworks(spec: RecordedService, live: LiveContainer): readonly string[] {
  return spec.networks.map(({ network }) => network).filter((name) => !live.networks.includes(name))
}

function short(id: string): string {
  return id.slice(0, 12)
}
