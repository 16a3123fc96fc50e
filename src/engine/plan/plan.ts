/** Compares what is wanted with what is seen, pure: the steps, what each waits for, and what is left alone. */
import type { Identity } from '#model/application.ts'
import type { Kind, Permissions, Rendered } from '#model/domain.ts'
import type { Change, Group, Plan, Skipped, Step } from '#model/plan.ts'
import { Problem, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation, Observed, Present, Resource } from '#model/resource.ts'
import { isSealed, mapValue, type Value } from '#model/value.ts'
import { cycleOf, cycleText, orderOfPlaces, placesOf, type Places } from '../graph/graph.ts'
import { deletesInOrder, orphansOf } from './orphans.ts'
import { defined } from '#model/defined.ts'

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
      readonly seen: Observed
      readonly warnings?: readonly string[]
    }

const absent: Observed = { kind: 'absent' }

/** The declared resources, numbered: names are looked up once, even where there are ten thousand. */
type WantedResources = {
  readonly resources: readonly Resource[]
  readonly places: Places
  /** For each resource the places of what it needs; -1 for what is not declared. */
  readonly needs: readonly (readonly number[])[]
  /** The decision for each resource, by its number, filled in the order of creation. */
  readonly decisions: Decision[]
}

export function planOf(input: PlanInput): Plan {
  const { rendered, world, kind, identity, allowed } = input
  const { vault } = rendered
  const wanted = numbered(rendered.resources)
  const { resources, places, decisions } = wanted
  const order = creationOrder(wanted)
  for (const place of order) decisions[place] = decide(place, wanted, input)

  const skipped: Skipped[] = []
  const unchanged: Ref[] = []
  const steps = new Map<Ref, Step>()
  for (const place of order) {
    const { ref } = defined(resources[place])
    const decision = defined(decisions[place])
    if (decision.kind === 'skip') skipped.push(skippedAs(ref, decision.problem, world))
    else if (decision.kind === 'same') unchanged.push(ref)
    else steps.set(ref, decision.step)
  }
  const orphans = orphansOf(input, places, new Set(skipped.map(({ ref }) => ref)))
  for (const ref of orphans.remove) steps.set(ref, 'delete')

  const groups: Group[] = []
  for (const place of order) {
    const decision = defined(decisions[place])
    if (decision.kind !== 'step') continue
    const { step, cause, changes, wanted: resource, seen } = decision
    const about = { ref: resource.ref, step, cause, changes, seen, wanted: resource }
    groups.push(kind.expand({ ...about, world, steps, identity, vault, allowed }))
  }
  const deletes: Group[] = []
  const shared = { world, steps, identity, vault, allowed }
  for (const ref of orphans.remove) {
    const cause = resources.length === 0 ? 'uninstalled' : 'no longer declared'
    const about = { ref, step: 'delete', cause, changes: [], wanted: undefined } as const
    deletes.push(kind.expand({ ...about, seen: defined(world.get(ref)), ...shared }))
  }
  const isFirst = !hasRunning(input)
  const { kept } = orphans
  const warnings = [...orphans.warnings, ...notesOf(world)]
  for (const decision of decisions) {
    if (decision.kind === 'step') warnings.push(...(decision.warnings ?? []))
  }
  groups.push(...deletesInOrder(deletes, groups, world))
  return { groups, unchanged, skipped, kept, warnings, isFirst }
}

function notesOf(world: Observation): readonly string[] {
  return [...world.values()].flatMap((seen) => (seen.kind === 'unknown' ? [] : (seen.notes ?? [])))
}

function skippedAs(ref: Ref, problem: ProblemFacts, world: Observation): Skipped {
  const isAbsent = world.get(ref)?.kind === 'absent'
  return { ref, problem, ...(isAbsent ? { isAbsent } : {}) }
}

function numbered(declared: readonly Resource[]): WantedResources {
  const refs = declared.map(({ ref }) => ref)
  const places = placesOf(refs)
  // the same name twice is refused before; should it come this far, the last one counts
  if (places.size < refs.length) {
    return numbered([...new Map(declared.map((one) => [one.ref, one])).values()])
  }
  const needs = declared.map((one) => one.needs.map(({ ref }) => places.get(ref) ?? -1))
  return { resources: declared, places, needs, decisions: [] }
}

/** Whether something of the application runs. Data that an uninstall kept, and what nobody made, do not make a new install an upgrade. */
function hasRunning({ world, kind }: PlanInput): boolean {
  const nothing = { recreateVolumes: false, pruneVolumes: false }
  for (const [ref, seen] of world) {
    if (seen.kind !== 'present' || seen.isGiven === true) continue
    if (kind.keeps(ref, seen, nothing) === undefined) return true
  }
  return false
}

function creationOrder({ resources, needs }: WantedResources): Uint32Array {
  const befores = needs.map((list) => (list.includes(-1) ? list.filter((n) => n >= 0) : list))
  const order = orderOfPlaces(befores)
  if (order !== undefined) return order
  const graph = new Map(resources.map((one) => [one.ref, one.needs.map(({ ref }) => ref)]))
  const cycle = defined(cycleOf(graph))
  throw new Problem({
    type: 'configuration',
    code: 'cycle',
    message: `these need each other in a circle: ${cycleText(cycle)}`,
    at: resources.find(({ ref }) => ref === cycle[0])?.origin,
    suggestion: `take one of these needs away, for example that of ${cycle[0]} for ${cycle[1] ?? cycle[0]}`,
  })
}

function decide(place: number, all: WantedResources, input: PlanInput): Decision {
  const resource = defined(all.resources[place])
  const needed = defined(all.needs[place])
  const { ref } = resource
  const invalid = resource.problems[0]
  if (invalid !== undefined) return { kind: 'skip', problem: invalid }
  const seen = input.world.get(ref) ?? absent
  // its own refusal says more than that another one is refused
  if (seen.kind !== 'unknown' && seen.forecast?.kind === 'refused') {
    return { kind: 'skip', problem: { ...seen.forecast.problem, ref } }
  }
  for (let n = 0; n < needed.length; n += 1) {
    const need = defined(resource.needs[n])
    if (need.isOptional === true) continue
    const decision = all.decisions[defined(needed[n])]
    if (decision === undefined || decision.kind === 'skip') {
      const why = decision === undefined ? 'which is not declared' : 'which is left as it is'
      return { kind: 'skip', problem: needsProblem(ref, need.ref, why) }
    }
  }
  if (seen.kind === 'unknown') {
    const message = `its state could not be seen: ${seen.why}`
    return {
      kind: 'skip',
      problem: { type: 'runtime', code: 'unknown_state', ref, message, recoverable: true },
    }
  }
  const spec = withOutputs(resource.spec, all, input.world)
  const wanted = spec === resource.spec ? resource : { ...resource, spec }
  if (seen.kind === 'absent') {
    return { kind: 'step', step: 'create', cause: 'it does not exist', changes: [], wanted, seen }
  }
  return compared(wanted, seen, place, all, input)
}

function compared(
  wanted: Resource,
  seen: Present,
  place: number,
  all: WantedResources,
  input: PlanInput,
): Decision {
  const difference = input.kind.compare(wanted, seen, input.rendered.vault, input.allowed)
  if (difference.kind === 'refused') {
    return { kind: 'skip', problem: { ...difference.problem, ref: wanted.ref } }
  }
  const { cause, changes } = difference.kind === 'changed' ? difference : { cause: '', changes: [] }
  if (difference.kind === 'changed' && difference.how === 'replace') {
    const { warnings = [] } = difference
    return { kind: 'step', step: 'replace', cause, changes, wanted, seen, warnings }
  }
  for (let n = 0; n < wanted.needs.length; n += 1) {
    const need = defined(wanted.needs[n])
    if (!need.renew) continue
    const decision = all.decisions[defined(defined(all.needs[place])[n])]
    if (decision?.kind !== 'step' || decision.step === 'update') continue
    const renewed = `${need.ref} is ${decision.step}d`
    return { kind: 'step', step: 'replace', cause: renewed, changes, wanted, seen }
  }
  if (difference.kind === 'same') return difference
  return { kind: 'step', step: 'update', cause, changes, wanted, seen }
}

/** Outputs of resources that this run leaves in place are known now; the others stay for later. */
function withOutputs(
  spec: Value,
  { places, decisions }: WantedResources,
  world: Observation,
): Value {
  return mapValue(spec, (leaf) => {
    if (isSealed(leaf)) return leaf
    const decision = decisions[places.get(leaf.from) ?? -1]
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
