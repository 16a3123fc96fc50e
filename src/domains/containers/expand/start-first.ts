/** Replaces a container that may stand beside its old self: the new one proves itself first, then takes over the names. */
import { emptyGroup } from '#engine/plan/empty-group.ts'
import type { Expansion } from '#model/domain.ts'
import type { Group } from '#model/plan.ts'
import type { LiveContainer } from '../live-state.ts'
import { nextName, previousName } from '../object-names.ts'
import type { AnySpec, ContainerRecipe } from './recipe.ts'
import { clearOperations, sparesOf } from './spares.ts'

/**
 * A rename changes no name on a network: the real ones come by disconnecting and connecting again. The old one loses its names in the
 * same way, answers whom it is answering, and goes.
 */
export function replaceStartFirst<
  Spec extends AnySpec,
  Old extends AnySpec,
  Live extends LiveContainer,
>(recipe: ContainerRecipe<Spec, Old, Live>, expansion: Expansion, spec: Spec, live: Live): Group {
  const { calls } = recipe
  const shortHash = recipe.shortHashOf(expansion)
  const { object } = spec
  const [next, previous] = [nextName(object, shortHash), previousName(object, shortHash)]
  const old = recipe.recorded(expansion) ?? spec
  return {
    ...emptyGroup(expansion),
    prepare: recipe.prepare(expansion, spec, 'start-first'),
    make: [
      ...clearOperations(calls, sparesOf(expansion), 0),
      ...recipe.create(expansion, spec, next, [next]),
      ...recipe.start(next, next, spec),
    ],
    gate: recipe.gateOf(spec),
    subject: recipe.subjectOf(spec, next),
    undo: [calls.remove('take-back', next, next, 0)],
    finish: [
      ...spec.networks.flatMap((attachment) => [
        calls.disconnect(attachment.network, next, next),
        recipe.connect(attachment, next),
      ]),
      calls.rename('set-aside', live.id, live.name, previous),
      calls.rename('take-place', next, next, object),
      ...old.networks.map(({ network }) => calls.unname(network, live.id, previous)),
      ...(old.networks.length === 0 ? [] : [calls.drain(live.id, previous, recipe.timeoutOf(old))]),
      ...recipe.retire(live, previous, old),
    ],
  }
}
