/** What runs and is ours but no longer declared: what goes, what stays and why, and in which order. */
import type { Group, Operation } from '#model/plan.ts'
import type { Ref } from '#model/ref.ts'
import type { Observation } from '#model/resource.ts'
import { orderOf } from '../graph/graph.ts'
import type { PlanInput } from './plan.ts'
import { defined } from '#model/defined.ts'

export type Orphans = {
  readonly remove: readonly Ref[]
  readonly kept: readonly { readonly ref: Ref; readonly why: string }[]
  readonly warnings: readonly string[]
}

/**
 * `left`: resources that are left as they are; what they were recorded to need stays with them. Is one of them not there
 * at all, nothing goes: it may be the new name of what is no longer declared, and then neither would run.
 */
export function orphansOf(
  input: PlanInput,
  declared: ReadonlyMap<Ref, unknown>,
  left: ReadonlySet<Ref>,
): Orphans {
  const needed = neededBy(new Set([...left, ...leftByRender(input)]), input.world)
  const isBlind = hasUnknown(input.world)
  const unmade = [...left].find((ref) => input.world.get(ref)?.kind !== 'present')
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
          ? (input.rendered.leaves?.(ref) ??
            input.kind.keeps(ref, seen, input.allowed) ??
            successorOf(unmade))
          : `${user}, which is left as it is, needs it`
    if (why === undefined) remove.push(ref)
    else kept.push({ ref, why })
  }
  return { remove, kept, warnings }
}

function successorOf(unmade: Ref | undefined): string | undefined {
  return unmade === undefined ? undefined : `${unmade}, which may replace it, can't be made`
}

function leftByRender({ rendered, world }: PlanInput): readonly Ref[] {
  const { leaves } = rendered
  return leaves === undefined ? [] : [...world.keys()].filter((ref) => leaves(ref) !== undefined)
}

function hasUnknown(world: Observation): boolean {
  for (const seen of world.values()) if (seen.kind === 'unknown') return true
  return false
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
 * Users go before what they use. A delete waits for the `finish` of every group whose old self was recorded to need it: a
 * network goes after the containers that were on it.
 */
export function deletesInOrder(
  deletes: readonly Group[],
  makes: readonly Group[],
  world: Observation,
): readonly Group[] {
  if (deletes.length === 0) return deletes
  const users = new Map<Ref, Ref[]>(deletes.map(({ ref }) => [ref, []]))
  for (const groups of [makes, deletes]) {
    for (const { ref, step } of groups) {
      if (step !== 'replace' && step !== 'delete') continue
      for (const need of recordedNeeds(world, ref)) users.get(need)?.push(ref)
    }
  }
  // Recorded needs come from outside and may be broken: then the order is as listed, and Podman has the last word.
  const order = orderOf(users)
  if (order === undefined) return deletes
  const byRef = new Map(deletes.map((group) => [group.ref, group]))
  return order.map((ref) => {
    const group = defined(byRef.get(ref))
    return { ...group, finish: waitingFor(group.finish, defined(users.get(ref))) }
  })
}

function waitingFor(operations: readonly Operation[], after: readonly Ref[]): readonly Operation[] {
  return operations.map((operation, index) =>
    index === 0 ? { ...operation, after: [...operation.after, ...after] } : operation,
  )
}
