/** A step becomes operations, each one call outside that may be done again. Pure. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Gate, Group, Operation } from '#model/plan.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { Value } from '#model/value.ts'
import { fieldOf, liveCluster, stateIn } from '../live-state.ts'

export function expand(expansion: Expansion): Group {
  const { ref, step, wanted } = expansion
  const nothing = emptyGroup(expansion)
  const kind = kindOf(ref)
  if (kind === 'cluster') return { ...nothing, ...ofCluster(expansion) }
  const name = nameOf(ref)
  if (kind === 'row') {
    return {
      ...nothing,
      make: [operation('forget', ref, null, `Removing the row of ${name}`)],
    }
  }
  const remove = operation('remove', ref, null, `Removing ${kind} ${name}`)
  if (step === 'delete') return { ...nothing, finish: [remove] }
  const spec = wanted?.spec ?? null
  if (stateIn(spec) === 'absent') return { ...nothing, make: [remove] }
  const words = `${step === 'create' ? 'Making' : 'Repairing'} ${kind} ${name}`
  return {
    ...nothing,
    make: [operation('put', ref, fieldOf(spec, 'spec') ?? null, words)],
  }
}

type Parts = {
  readonly make: readonly Operation[]
  readonly finish: readonly Operation[]
  readonly gate: Gate
}

function ofCluster({ ref, step, wanted, seen }: Expansion): Parts {
  const name = nameOf(ref)
  const spec = wanted?.spec ?? null
  const recorded: Json = seen.kind === 'present' ? (seen.recorded?.spec ?? null) : null
  if (stateIn(spec) === 'absent') {
    const isGone = stateIn(recorded) === 'absent'
    const make = isGone
      ? operation('mark gone', ref, null, `Noting that ${name} is gone`)
      : operation('delete', ref, recorded, `Deleting cluster ${name}`)
    return { make: [make], finish: [], gate: 'none' }
  }
  const stands = operation('stand', ref, spec, `Noting that ${name} runs`)
  const create = operation('create', ref, spec, `Creating cluster ${name}`)
  if (step === 'create') return { make: [create], finish: [stands], gate: 'healthy' }
  if (step === 'replace') {
    const remove = operation('take away', ref, recorded, `Deleting cluster ${name} to make it anew`)
    return { make: [{ ...remove, disrupts: true }, create], finish: [stands], gate: 'healthy' }
  }
  const { health } = seen.kind === 'present' ? liveCluster(seen.live) : { health: '' }
  const kept = operation('note', ref, adopted(spec, recorded), stands.words)
  if (health === 'ready') return { make: [], finish: [kept], gate: 'none' }
  if (health === 'starting') return { make: [], finish: [kept], gate: 'healthy' }
  const start = operation('start', ref, recorded, `Starting cluster ${name}`)
  return { make: [start], finish: [kept], gate: 'healthy' }
}

/** What it was made from stays noted, also where the row says something else by now. */
function adopted(spec: Value, recorded: Json): Value {
  return isRecord<Json>(recorded) ? recorded : spec
}

function operation(verb: string, ref: Ref, spec: Value, words: string): Operation {
  const id = verb.replace(' ', '-')
  return { id, verb, payload: { ref, spec }, after: [], words, disrupts: false }
}
