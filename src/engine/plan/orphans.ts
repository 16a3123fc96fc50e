/** What runs and is ours but no longer declared: what goes, what stays and why, and in which order. */
import type { Group, Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import { orderOf } from '../graph/graph.ts'
import type { PlanInput } from './plan.ts'

export type Orphans = {
  readonly remove: readonly Ref[]
  readonly kept: readonly { readonly ref: Ref; readonly why: string }[]
  readonly warnings: readonly string[]
}

/** `left`: resources that are left as they are; what they were recorded to need stays with them. */
export function orphansOf(input: PlanInput, left: ReadonlySet<Ref>): Orphans {
  const declared = new Set(input.rendered.resources.map(({ ref }) => ref))
  const needed = neededBy(left, input.world)
  const isBlind = [...input.world.values()].some((seen) => seen.kind === 'unknown')
  const remove: Ref[] = []
  const kept: { ref: Ref; why: string }[] = []
  const warnings: string[] = []
  for (const [ref, seen] of input.world) {
    if (declared.has(ref) || seen.kind === 'absent') continue
    if (seen.kind === 'unknown') {
      warnings.push(`${ref} is no longer declared, but its state could not be seen: ${seen.why}`)
      continue
    }
    const user = needed.get(ref)
    const why = isBlind
      ? 'not everything could be seen, and something unseen may need it'
      : input.rendered.isIncomplete
        ? 'a document without a readable name may be its declaration'
        : user === undefined
          ? input.kind.keeps(ref, seen, input.allowed)
          : `${user}, which is left as it is, needs it`
    if (why === undefined) remove.push(ref)
    else kept.push({ ref, why })
  }
  return { remove, kept, warnings }
}

function neededBy(left: ReadonlySet<Ref>, world: Observation): ReadonlyMap<Ref, Ref> {
  const needed = new Map<Ref, Ref>()
  const queue = [...left]
  for (const user of queue) {
    for (const need of recordedNeeds(world, user)) {
      if (needed.has(need)) continue
      needed.set(need, user)
      queue.push(need)
    }
  }
  return needed
}

function recordedNeeds(world: Observation, ref: Ref): readonly Ref[] {
  const seen = world.get(ref)
  return seen?.kind === 'present' ? (seen.recorded?.needs ?? []).map((need) => need.ref) : []
}

/**
 * Makes keep their order; deletes come last, users before what they use. A delete waits for the `finish` of every group
 * whose old self was recorded to need it: a network goes after the containers that were on it.
 */
export function ordered(groups: readonly Group[], world: Observation): readonly Group[] {
  const users = new Map<Ref, Ref[]>()
  for (const { ref, step } of groups) {
    if (step !== 'replace' && step !== 'delete') continue
    for (const need of recordedNeeds(world, ref)) {
      const list = users.get(need)
      if (list === undefined) users.set(need, [ref])
      else list.push(ref)
    }
  }
  const deletes = new Map(
    groups.flatMap((group) => (group.step === 'delete' ? [[group.ref, group] as const] : [])),
  )
  const graph = new Map([...deletes.keys()].map((ref) => [ref, users.get(ref) ?? []] as const))
  // Recorded needs come from outside and may be broken: then the order is as listed, and Podman has the last word.
  const order = orderOf(graph)
  const last = (order ?? [...deletes.keys()]).map((ref) => {
    const group = deletes.get(ref)!
    const after = order === undefined ? [] : (users.get(ref) ?? [])
    return { ...group, finish: waitingFor(group.finish, after) }
  })
  return [...groups.filter((group) => group.step !== 'delete'), ...last]
}

function waitingFor(operations: readonly Operation[], after: readonly Ref[]): readonly Operation[] {
  return operations.map((operation, index) =>
    index === 0 ? { ...operation, after: [...operation.after, ...after] } : operation,
  )
}
