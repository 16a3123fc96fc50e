/** Containers: how one is made, mended, replaced without losing the old one, and removed. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import { nameOf, type Ref } from '#model/ref.ts'
import type { LiveContainer } from '../live-state.ts'
import { isPrevious } from '../object-names.ts'
import type { AnySpec, ContainerRecipe } from './recipe.ts'
import { clearOperations, sparesOf } from './spares.ts'
import { replaceStartFirst } from './start-first.ts'
import { replaceStopFirst } from './stop-first.ts'

export function expandContainer<
  Spec extends AnySpec,
  Old extends AnySpec,
  Live extends LiveContainer,
>(recipe: ContainerRecipe<Spec, Old, Live>, expansion: Expansion): Group {
  const { step, wanted, seen } = expansion
  if (step === 'delete' || wanted === undefined) return deleted(recipe, expansion)
  const spec = recipe.specOf(wanted.spec)
  if (seen.kind !== 'present') return created(recipe, expansion, spec)
  const live = recipe.liveOf(seen.live)
  if (step === 'update') return updated(recipe, expansion, spec, live)
  const lost = recipe.lostVolumes(expansion)
  if (lost.length > 0) {
    const group = createdAfter(created(recipe, expansion, spec), lost)
    return recipe.remade(group, expansion, spec, live)
  }
  const restarted = recipe.restarted?.(expansion, spec, live)
  if (restarted !== undefined) return restarted
  return recipe.isStartFirst(expansion, spec, live)
    ? replaceStartFirst(recipe, expansion, spec, live)
    : replaceStopFirst(recipe, expansion, spec, live)
}

/** The container was removed together with its volume: nothing is left to set aside, or to put back. */
function createdAfter(group: Group, volumes: readonly Ref[]): Group {
  const make = group.make.map((each) =>
    each.id === 'create' ? { ...each, after: [...each.after, ...volumes] } : each,
  )
  return { ...group, make }
}

function created<Spec extends AnySpec, Old extends AnySpec, Live extends LiveContainer>(
  recipe: ContainerRecipe<Spec, Old, Live>,
  expansion: Expansion,
  spec: Spec,
): Group {
  const room = recipe.makeRoom(expansion, spec)
  const { object } = spec
  return {
    ...emptyGroup(expansion),
    prepare: recipe.prepare(expansion, spec, 'create'),
    make: [
      ...recipe.create(expansion, spec, object),
      ...room.make,
      ...recipe.start(object, object, spec),
    ],
    gate: recipe.gateOf(spec),
    subject: recipe.subjectOf(spec, object),
    undo: [recipe.calls.remove('take-back', object, object, 0), ...room.undo],
  }
}

/** Mends what drifted, and takes away what a killed run left. */
function updated<Spec extends AnySpec, Old extends AnySpec, Live extends LiveContainer>(
  recipe: ContainerRecipe<Spec, Old, Live>,
  expansion: Expansion,
  spec: Spec,
  live: Live,
): Group {
  const { calls } = recipe
  const { object } = spec
  const spares = sparesOf(expansion)
  const previous = spares.find(({ name }) => isPrevious(name))
  const mending = recipe.mend(expansion, spec, live)
  const seconds = recipe.timeoutOf(spec)
  // a kept old one means that this one never proved itself: if it does not, the old one comes back
  const undo =
    previous === undefined || live.name !== object
      ? mending.undo
      : [
          calls.remove('take-back', live.id, object, seconds),
          calls.rename('put-back', previous.id, previous.name, object),
          ...recipe.start(previous.id, object, spec, 'restart-old'),
        ]
  return {
    ...emptyGroup(expansion),
    make: mending.make,
    gate: recipe.gateOf(spec),
    subject: recipe.subjectOf(spec, live.id),
    undo,
    finish: clearOperations(calls, spares, seconds),
  }
}

function deleted<Spec extends AnySpec, Old extends AnySpec, Live extends LiveContainer>(
  recipe: ContainerRecipe<Spec, Old, Live>,
  expansion: Expansion,
): Group {
  const { seen, ref } = expansion
  const group = emptyGroup(expansion)
  if (seen.kind !== 'present') return group
  const live = recipe.liveOf(seen.live)
  const old = recipe.recorded(expansion)
  return {
    ...group,
    finish: [
      ...recipe.end(live, live.name === '' ? nameOf(ref) : live.name, old),
      ...clearOperations(recipe.calls, sparesOf(expansion), recipe.timeoutOf(old)),
      ...(recipe.leftovers?.(expansion, live) ?? []),
    ],
  }
}
