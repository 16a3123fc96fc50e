/** Replaces a container that can't run beside the old one: the old one is stopped and kept until the new one is healthy, and started again if it is not. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import type { LiveContainer } from '../live-state.ts'
import { isPrevious, nextName, previousName } from '../object-names.ts'
import type { AnySpec, ContainerRecipe } from './recipe.ts'
import { clearOperations, sparesOf } from './spares.ts'

export function replaceStopFirst<
  Spec extends AnySpec,
  Old extends AnySpec,
  Live extends LiveContainer,
>(recipe: ContainerRecipe<Spec, Old, Live>, expansion: Expansion, spec: Spec, live: Live): Group {
  const { calls } = recipe
  const shortHash = recipe.shortHashOf(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, shortHash), previousName(object, shortHash)]
  const old = recipe.recorded(expansion) ?? spec
  const room = recipe.makeRoom(expansion, spec)
  const remove = calls.remove('remove-old', live.id, previous, recipe.timeoutOf(old))
  return {
    ...emptyGroup(expansion),
    prepare: recipe.prepare(expansion, spec, 'stop-first'),
    make: [
      ...clearOperations(calls, sparesOf(expansion), 0),
      ...recipe.create(expansion, spec, next),
      ...recipe.stop('stop-old', live, live.name, old),
      ...room.make,
      calls.rename('set-aside', live.id, live.name, previous),
      calls.rename('take-place', next, next, object),
      ...recipe.start(object, object, spec),
    ],
    gate: recipe.gateOf(spec),
    subject: recipe.subjectOf(spec, object),
    undo: [
      calls.remove('take-back-next', next, next, 0),
      calls.remove('take-back', object, object, 0, live.id),
      calls.rename('put-back', live.id, previous, isPrevious(live.name) ? object : live.name),
      ...room.undo,
      ...(recipe.startsAgain(expansion, live)
        ? recipe.start(live.id, object, old, 'start-old')
        : []),
    ],
    finish: [{ ...remove, after: recipe.followers?.(expansion) ?? [] }],
  }
}
