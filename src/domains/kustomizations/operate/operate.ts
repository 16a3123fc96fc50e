/** The calls outside: check, apply, delete, put back. Each may be made twice. */
import { recordOf, textOf } from '#model/read-json.ts'
import { applyObject, deleteObject, getObject, patchObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { ownerFor } from '../observe/orphaned-objects.ts'
import { gone } from './wait-until-gone.ts'
import { healthOf } from '../look/health.ts'
import { ignoredPaths, withoutIgnored } from '../observe/ignored-fields.ts'
import { forget, type SetContext } from '../memory.ts'
import {
  isDefinition,
  manager,
  nameOfObject,
  refOfObject,
  wordsOfObject,
  type ObjectName,
} from '../object.ts'
import { asSeen, lookedAgain, onlyAsSeen } from './only-as-seen.ts'
import { keptBecause } from './kept-because.ts'
import { restore } from './restore.ts'
import { settle } from '../observe/settled-objects.ts'
import { fieldAdoptionOf } from './adopt-fields.ts'
import { contentOf, untold } from '../taint.ts'
import { untilObject } from './wait-for-object.ts'
import { isWaitedFor } from '../apply-options.ts'

/** How long one waits for a definition to be served, and for finalizers, ms. */
const longest = 30_000

export async function operate(
  set: SetContext,
  operation: Operation,
  context: Context,
): Promise<Outputs> {
  const { verb, payload } = operation
  switch (verb) {
    case 'check':
      await check(set, objectIn(payload), context)
      return {}
    case 'apply':
      await applyAndSettle(set, payload, context)
      return {}
    case 'delete': {
      const { ref, isAllowed } = recordOf(payload)
      await remove(set, nameIn(payload), isAllowed === true, context)
      if (ref !== undefined) set.removed.add(textOf(ref))
      return {}
    }
    case 'unmake': {
      const name = nameIn(payload)
      const ref = refOfObject(name)
      if (set.created.has(ref)) await remove(set, name, false, context)
      else if (set.applied.has(ref)) {
        context.warn(`${wordsOfObject(name)} is left as it is: it may have been there before`)
      }
      return {}
    }
    case 'restore': {
      const place = await placeOf(set, nameIn(payload), context.signal)
      await restore(set, textOf(recordOf(payload)['ref']), place, context.signal)
      return {}
    }
    default:
      return {}
  }
}

function objectIn(payload: Value): Value {
  const { object = null } = recordOf(payload)
  return object
}

function nameIn(payload: Value): ObjectName {
  const { apiVersion, kind, namespace, name } = recordOf(recordOf(payload)['name'])
  const metadata = { namespace: namespace ?? '', name: name ?? '' }
  return nameOfObject({ apiVersion: apiVersion ?? '', kind: kind ?? '', metadata })
}

async function placeOf(
  context: SetContext,
  name: ObjectName,
  signal: AbortSignal,
): Promise<ObjectPlace> {
  const kind = await context.discovery.need(name.apiVersion, name.kind, signal)
  return { kind, namespace: name.namespace, name: name.name }
}

/** Applies an object. Where it exists, fields that other managers hold and the declaration has are adopted first. */
async function applyAndSettle(set: SetContext, payload: Value, context: Context): Promise<void> {
  const object = objectIn(payload)
  const ref = textOf(recordOf(payload)['ref'])
  const place = await placeOf(set, nameOfObject(object), context.signal)
  const { signal } = context
  let live = await liveAt(set, ref, place, context)
  const adoption = live === undefined ? undefined : fieldAdoptionOf(object, live)
  if (adoption !== undefined) {
    live = await patchObject(set.kubernetes, place, adoption.patch, { signal, manager })
  }
  const paths = ignoredPaths(set.options.ignore ?? [], object)
  const body = onlyAsSeen(live, opened(withoutIgnored(object, live, paths), context))
  // where nobody waits for its health, the metadata in the answer is enough
  const name = nameOfObject(object)
  const isMetadataOnly = !isDefinition(name) && !isWaitedFor(set.options, object, name)
  const created = () => void set.created.add(ref)
  const applying = { signal, manager, isForced: true, isMetadataOnly, isChecked: true, created }
  const result = await applyObject(set.kubernetes, place, body, applying).catch((thrown) => {
    throw untold(lookedAgain(thrown), object, (secret) => context.open(secret))
  })
  set.applied.set(ref, result)
  if (!isMetadataOnly) set.answers.set(ref, result)
  settle(set, { ref, spec: object }, result)
  if (isDefinition(name)) await served(set, result, context)
}

/** The object as it was observed; read again from the second attempt on. */
async function liveAt(
  set: SetContext,
  ref: Ref,
  place: ObjectPlace,
  context: Context,
): Promise<JsonRecord | undefined> {
  if (set.removed.has(ref)) return undefined
  return context.attempt > 1
    ? getObject(set.kubernetes, place, context.signal)
    : set.before.get(ref)
}

/** A definition has done its part when what it defines can be made. */
async function served(set: SetContext, definition: JsonRecord, context: Context): Promise<void> {
  const { signal } = context
  const name = nameOfObject(definition)
  const place = await placeOf(set, name, signal)
  let health = healthOf(set, definition)
  const isServed = (live: JsonRecord | undefined): boolean => {
    health = healthOf(set, live ?? {})
    return health.state !== 'waiting'
  }
  if (!isServed(definition)) await untilObject(set, place, isServed, longest, signal)
  if (health.state !== 'ok') {
    const message = `${wordsOfObject(name)} is not served: ${health.message}`
    throw new Problem({ type: 'runtime', code: 'unhealthy', message })
  }
  set.discovery.invalidate()
  set.discovery.learn(definition)
}

/** Only while it is ours, unless it is to be replaced; done when it is really gone. */
async function remove(
  set: SetContext,
  name: ObjectName,
  isAllowed: boolean,
  context: Context,
): Promise<void> {
  const { signal } = context
  const kind = await set.discovery.find(name.apiVersion, name.kind, signal)
  // the kind is not served any more, so all objects of it are gone
  if (kind === undefined) return
  const place = { kind, namespace: name.namespace, name: name.name }
  const live = await getObject(set.kubernetes, place, signal)
  if (live === undefined) return
  const other = set.claims?.(refOfObject(name))
  const claimed = other === undefined ? undefined : `by now ${other} declares it`
  const why = isAllowed ? undefined : (keptBecause(live, ownerFor(set, live)) ?? claimed)
  if (why !== undefined) return context.warn(`${wordsOfObject(name)} is left as it is: ${why}`)
  const { uid } = metadataOf(live)
  const deleting = deleteObject(set.kubernetes, place, { signal, ...asSeen(live) })
  const how = await deleting.catch((thrown: unknown) => {
    throw lookedAgain(thrown)
  })
  if (how === 'gone') return forget(set, uid)
  const held = await gone(set, place, uid, longest, signal, (text) => context.report(text))
  if (held !== undefined) throw stuck(name, held)
  forget(set, uid)
}

function stuck(name: ObjectName, held: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'in_use',
    message: `${wordsOfObject(name)} is being deleted, but not gone: ${held}`,
    suggestion:
      'see why the controller that set the finalizer does not finish; it goes by itself once it does',
  })
}

async function check(set: SetContext, object: Value, context: Context): Promise<void> {
  const { signal } = context
  const place = await placeOf(set, nameOfObject(object), signal)
  const applying = { signal, manager, isForced: true, isDryRun: true }
  await applyObject(set.kubernetes, place, opened(object, context), applying).catch((thrown) => {
    throw untold(thrown, object, (secret) => context.open(secret))
  })
}

function opened(object: Value, context: Context): JsonRecord {
  const value = mapValue(object, (leaf) =>
    isSealed(leaf) ? contentOf(leaf, context.open(leaf)) : leaf,
  )
  return recordOf(settled(value))
}
