/** Looks at the health of everything that is there, as `assess` needs it; applies nothing. */
import type { Clock } from '#model/clock.ts'
import type { Kind, Look, Rendered, Target } from '#model/domain.ts'
import type { Ref } from '#model/ref.ts'
import type { Present, Resource } from '#model/resource.ts'
import type { AssessedResource } from './assess.ts'

type Looker = {
  readonly kind: Kind
  readonly target: Target
  readonly clock: Clock
}

/** What has just started is given this long to settle, ms. */
const patience = 2_500
const shortestPause = 20

/** Resources that a run would create are not there; those that it would change still have a health. */
export async function lookAtHealth(
  { resources }: Pick<Rendered, 'resources'>,
  { world, plan }: AssessedResource,
  looker: Looker,
  signal: AbortSignal,
): Promise<ReadonlyMap<Ref, Look>> {
  const created = plan.groups.filter(({ step }) => step === 'create')
  const absent = new Set(created.map(({ ref }) => ref))
  const looks = resources.map(async (resource): Promise<readonly [Ref, Look][]> => {
    const seen = world.get(resource.ref)
    if (seen?.kind !== 'present' || absent.has(resource.ref)) return []
    const look = await settledLook(resource, seen, looker, signal)
    return look === undefined ? [] : [[resource.ref, look]]
  })
  return new Map((await Promise.all(looks)).flat())
}

/** The first look that does not ask for another one soon, or the last one that there is time for. */
async function settledLook(
  resource: Resource,
  seen: Present,
  { kind, target, clock }: Looker,
  signal: AbortSignal,
): Promise<Look | undefined> {
  const gate = kind.healthGate?.(resource.ref)
  if (gate === undefined) return undefined
  const subject = kind.subject(resource, seen)
  for (let waited = 0; ;) {
    const look = await target.look(resource.ref, subject, gate, signal)
    const pause = Math.max(shortestPause, look.againIn ?? Number.POSITIVE_INFINITY)
    waited += pause
    if (look.state !== 'waiting' || waited > patience) return look
    await clock.sleep(pause, signal)
  }
}
