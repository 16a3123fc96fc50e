/** Compares what is wanted with what is seen, pure: the steps, what each waits for, and what is left alone. */
import type { Identity } from '#model/application.ts'
import type { Kind, Permissions, Rendered } from '#model/domain.ts'
import type { Change, Group, Plan, Skipped, Step } from '#model/plan.ts'
import { Problem, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation, Present, Resource } from '#model/resource.ts'
import { isSealed, mapValue, type Value } from '#model/value.ts'
import { cycleOf, cycleText, orderOf } from '../graph/graph.ts'
import { orphansOf, ordered } from './orphans.ts'

export type PlanInput = {
  readonly rendered: Rendered
  readonly world: Observation
  readonly kind: Kind
  readonly identity: Identity
  readonly allowed: Permissions
}

type Decision =
  | { readonly kind: 'same' }
  | { readonly kind: 'skip'; readonly problem: ProblemFacts }
  | {
      readonly kind: 'step'
      readonly step: Step
      readonly cause: string
      readonly changes: readonly Change[]
      readonly wanted: Resource
    }

export function planOf(input: PlanInput): Plan {
  const { rendered, world, kind, identity } = input
  const wanted = new Map(rendered.resources.map((resource) => [resource.ref, resource]))
  const decisions = new Map<Ref, Decision>()
  for (const ref of creationOrder(wanted)) {
    decisions.set(ref, decide(wanted.get(ref)!, decisions, input))
  }
  const skipped: Skipped[] = []
  const unchanged: Ref[] = []
  const steps = new Map<Ref, Step>()
  for (const [ref, decision] of decisions) {
    if (decision.kind === 'skip') skipped.push({ ref, problem: decision.problem })
    else if (decision.kind === 'same') unchanged.push(ref)
    else steps.set(ref, decision.step)
  }
  const orphans = orphansOf(input, new Set(skipped.map(({ ref }) => ref)))
  for (const ref of orphans.remove) steps.set(ref, 'delete')
  const groups: Group[] = []
  for (const [ref, decision] of decisions) {
    if (decision.kind !== 'step') continue
    const { step, cause, changes } = decision
    const seen = world.get(ref) ?? { kind: 'absent' }
    const shared = {
      ref,
      step,
      cause,
      changes,
      seen,
      world,
      steps,
      identity,
      vault: rendered.vault,
    }
    groups.push(kind.expand({ ...shared, wanted: decision.wanted }))
  }
  for (const ref of orphans.remove) {
    const seen = world.get(ref)!
    const cause = wanted.size === 0 ? 'uninstalled' : 'no longer declared'
    const shared = { ref, step: 'delete', cause, changes: [], seen, world, steps } as const
    groups.push(kind.expand({ ...shared, identity, vault: rendered.vault, wanted: undefined }))
  }
  const isFirst = !hasRunning(input)
  const { kept, warnings } = orphans
  return { groups: ordered(groups, world), unchanged, skipped, kept, warnings, isFirst }
}

/** Data that an uninstall kept, and what nobody made, do not make a new install an upgrade. */
function hasRunning({ world, kind }: PlanInput): boolean {
  const nothing = { recreateVolumes: false, pruneVolumes: false }
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || seen.isGiven === true) continue
    if (kind.keeps(ref, seen, nothing) === undefined) return true
  }
  return false
}

function creationOrder(wanted: ReadonlyMap<Ref, Resource>): readonly Ref[] {
  const graph = new Map(
    [...wanted].map(([ref, { needs }]) => [ref, needs.map((need) => need.ref)] as const),
  )
  const order = orderOf(graph)
  if (order !== undefined) return order
  const cycle = cycleOf(graph)!
  throw new Problem({
    type: 'configuration',
    code: 'cycle',
    message: `these need each other in a circle: ${cycleText(cycle)}`,
    at: wanted.get(cycle[0]!)?.origin,
    suggestion: `take one of these needs away, for example that of ${cycle[0]} for ${cycle[1] ?? cycle[0]}`,
  })
}

function decide(
  resource: Resource,
  decisions: ReadonlyMap<Ref, Decision>,
  input: PlanInput,
): Decision {
  const { ref } = resource
  const invalid = resource.problems[0]
  if (invalid !== undefined) return { kind: 'skip', problem: invalid }
  for (const need of resource.needs) {
    if (need.isOptional === true) continue
    const decision = decisions.get(need.ref)
    if (decision === undefined || decision.kind === 'skip') {
      const why = decision === undefined ? 'which is not declared' : 'which is left as it is'
      return { kind: 'skip', problem: needsProblem(ref, need.ref, why) }
    }
  }
  const seen = input.world.get(ref) ?? { kind: 'absent' }
  if (seen.kind === 'unknown') {
    const message = `its state could not be seen: ${seen.why}`
    return {
      kind: 'skip',
      problem: { type: 'runtime', code: 'unknown_state', ref, message, recoverable: true },
    }
  }
  if (seen.forecast?.kind === 'refused') {
    return { kind: 'skip', problem: { ...seen.forecast.problem, ref } }
  }
  const spec = withOutputs(resource.spec, decisions, input.world)
  const wanted = spec === resource.spec ? resource : { ...resource, spec }
  if (seen.kind === 'absent') {
    return { kind: 'step', step: 'create', cause: 'it does not exist', changes: [], wanted }
  }
  return compared(wanted, seen, decisions, input)
}

function compared(
  wanted: Resource,
  seen: Present,
  decisions: ReadonlyMap<Ref, Decision>,
  input: PlanInput,
): Decision {
  const difference = input.kind.compare(wanted, seen, input.rendered.vault, input.allowed)
  if (difference.kind === 'refused') {
    return { kind: 'skip', problem: { ...difference.problem, ref: wanted.ref } }
  }
  const { cause, changes } = difference.kind === 'changed' ? difference : { cause: '', changes: [] }
  if (difference.kind === 'changed' && difference.how === 'replace') {
    return { kind: 'step', step: 'replace', cause, changes, wanted }
  }
  for (const need of wanted.needs) {
    const decision = decisions.get(need.ref)
    if (!need.renew || decision?.kind !== 'step' || decision.step === 'update') continue
    const renewed = `${need.ref} is ${decision.step}d`
    return { kind: 'step', step: 'replace', cause: renewed, changes, wanted }
  }
  if (difference.kind === 'same') return difference
  return { kind: 'step', step: 'update', cause, changes, wanted }
}

/** Outputs of resources that this run leaves in place are known now; the others stay for later. */
function withOutputs(
  spec: Value,
  decisions: ReadonlyMap<Ref, Decision>,
  world: Observation,
): Value {
  return mapValue(spec, (leaf) => {
    if (isSealed(leaf)) return leaf
    const decision = decisions.get(leaf.from)
    if (decision?.kind === 'step' && decision.step !== 'update') return leaf
    const source = world.get(leaf.from)
    const known = source?.kind === 'present' ? source.outputs[leaf.output] : undefined
    return known ?? leaf
  })
}

export function needsProblem(ref: Ref, needed: Ref, why: string): ProblemFacts {
  const message = `needs ${needed}, ${why}`
  return { type: 'dependency', code: 'needs_failed', ref, message, recoverable: true }
}
