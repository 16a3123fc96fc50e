/** All objects of one kind, as the cluster has them at this moment: one list, one watch. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { watchObjects } from '#clients/kubernetes/watch.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { fluxObjectOf, type FluxObject } from './kinds.ts'

export type Informer = {
  /** By `namespace/name`. */
  readonly objects: ReadonlyMap<string, FluxObject>
  /** Everything was listed once. */
  readonly isWhole: () => boolean
  /** What a write of ours answered: newer than what was watched. */
  learn(object: JsonRecord): void
  /** Until the signal. Throws what waiting does not mend. */
  keep(signal: AbortSignal): Promise<void>
}

export type InformerHooks = {
  /** What somebody wants of one, or of any, changed. */
  changed(): void
  /** Only what is said of it did. */
  told(key: string): void
  lost(why: string): void
}

export function createInformer(
  kubernetes: Kubernetes,
  kind: ApiKind,
  clock: Clock,
  hooks: InformerHooks,
): Informer {
  const objects = new Map<string, FluxObject>()
  let isWhole = false

  function put(object: JsonRecord): void {
    const one = fluxObjectOf(object)
    const known = objects.get(one.key)
    if (known?.uid === one.uid && isOlder(one, known)) return
    objects.set(one.key, one)
    if (known !== undefined && wishesOf(known) === wishesOf(one)) hooks.told(one.key)
    else hooks.changed()
  }

  return {
    objects,
    isWhole: () => isWhole,
    learn(object) {
      const one = fluxObjectOf(object)
      const known = objects.get(one.key)
      if (known?.uid !== one.uid || isOlder(one, known)) return
      objects.set(one.key, one)
      // somebody else's wish came with the answer: its event will find nothing new
      if (wishesOf(known) !== wishesOf(one)) hooks.changed()
    },
    async keep(signal) {
      // what was known before may be old by now
      isWhole = false
      for await (const event of watchObjects(kubernetes, kind, {}, { clock, signal })) {
        if (event.kind === 'lost') hooks.lost(event.problem.message)
        else if (event.kind === 'listed') {
          objects.clear()
          for (const object of event.objects) {
            const one = fluxObjectOf(object)
            objects.set(one.key, one)
          }
          isWhole = true
          hooks.changed()
        } else if (event.kind === 'removed') {
          objects.delete(fluxObjectOf(event.object).key)
          hooks.changed()
        } else put(event.object)
      }
    },
  }
}

/** An answer may overtake an event, and the other way round. */
function isOlder(one: FluxObject, known: FluxObject): boolean {
  const [version, before] = [Number(one.resourceVersion), Number(known.resourceVersion)]
  return version < before
}

/** The version of its spec alone is not enough: finalizers, annotations and labels have none. */
function wishesOf(one: FluxObject): string {
  const { uid, generation, isDeleting, finalizers, annotations, labels } = one
  return JSON.stringify([uid, generation, isDeleting, finalizers, annotations, labels])
}
