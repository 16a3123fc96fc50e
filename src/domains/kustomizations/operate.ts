/** The calls outside: check, apply, delete, put back. Each may be made twice. */
import { recordOf, textOf } from '#clients/http/read.ts'
import { applyObject, deleteObject, getObject, patchObject } from '#clients/kubernetes/objects.ts'
import { metadataOf, type ObjectPlace } from '#clients/kubernetes/place.ts'
import type { Context, Outputs } from '#model/domain.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Operation } from '#model/plan.ts'
import { Problem } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import { isSealed, mapValue, settled, type Value } from '#model/value.ts'
import { ownerFor } from './abandoned.ts'
import { gone } from './gone.ts'
import { healthOf } from './health.ts'
import { ignoredPaths, withoutIgnored } from './ignore.ts'
import { forget, type Site } from './memory.ts'
import {
  isDefinition,
  manager,
  nameOfObject,
  refOfObject,
  wordsOfObject,
  type ObjectName,
} from './object.ts'
import { keptBecause } from './remove-set.ts'
import { restore } from './restore.ts'
import { settle } from './settled.ts'
import { takeoverOf } from './takeover.ts'
import { untilObject } from './until-object.ts'
import { isWaitedFor } from './ways.ts'

/** How long one waits for a definition to be served, and for finalizers, ms. */
const longest = 30_000

export async function operate(
  site: Site,
  operation: Operation,
  context: Context,
): Promise<Outputs> {
  const { verb, payload } = operation
  switch (verb) {
    case 'check':
      await check(site, objectIn(payload), context)
      return {}
    case 'apply':
      await applyAndSettle(site, payload, context)
      return {}
    case 'delete': {
      const { ref, isAllowed } = recordOf(payload)
      await remove(site, nameIn(payload), isAllowed === true, context)
      if (ref !== undefined) site.removed.add(textOf(ref))
      return {}
    }
    case 'unmake': {
      const name = nameIn(payload)
      const ref = refOfObject(name)
      if (site.created.has(ref)) await remove(site, name, false, context)
      else if (site.applied.has(ref)) {
        context.warn(`${wordsOfObject(name)} is left as it is: it may have been there before`)
      }
      return {}
    }
    case 'restore': {
      const place = await placeOf(site, nameIn(payload), context.signal)
      await restore(site, textOf(recordOf(payload)['ref']), place, context.signal)
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

async function placeOf(site: Site, name: ObjectName, signal: AbortSignal): Promise<ObjectPlace> {
  const kind = await site.discovery.need(name.apiVersion, name.kind, signal)
  return { kind, namespace: name.namespace, name: name.name }
}

/** What is there is changed as its author wishes; fields of others that are to be ours become ours first. */
async function applyAndSettle(site: Site, payload: Value, context: Context): Promise<void> {
  const object = objectIn(payload)
  const ref = textOf(recordOf(payload)['ref'])
  const place = await placeOf(site, nameOfObject(object), context.signal)
  const live = await liveAt(site, ref, place, context)
  const takeover = live === undefined ? undefined : takeoverOf(object, live)
  const { signal } = context
  if (takeover !== undefined) {
    await patchObject(site.kubernetes, place, takeover.patch, { signal, manager })
  }
  const paths = ignoredPaths(site.ways.ignore ?? [], object)
  const body = opened(withoutIgnored(object, live, paths), context)
  // how it stands is in its status; where nobody waits for that only what marks it is of account
  const name = nameOfObject(object)
  const isMetadataOnly = !isDefinition(name) && !isWaitedFor(site.ways, object, name)
  const created = () => void site.created.add(ref)
  const applying = { signal, manager, isForced: true, isMetadataOnly, isChecked: true, created }
  const result = await applyObject(site.kubernetes, place, body, applying)
  site.applied.set(ref, result)
  if (!isMetadataOnly) site.answers.set(ref, result)
  settle(site, { ref, spec: object }, result)
  if (isDefinition(name)) await served(site, result, context)
}

/** As it was observed a moment ago; seen anew when that did not do. */
async function liveAt(
  site: Site,
  ref: Ref,
  place: ObjectPlace,
  context: Context,
): Promise<JsonRecord | undefined> {
  if (site.removed.has(ref)) return undefined
  return context.attempt > 1
    ? getObject(site.kubernetes, place, context.signal)
    : site.before.get(ref)
}

/** A definition has done its part when what it defines can be made. */
async function served(site: Site, definition: JsonRecord, context: Context): Promise<void> {
  const { signal } = context
  const name = nameOfObject(definition)
  const place = await placeOf(site, name, signal)
  let health = healthOf(site, definition)
  const isServed = (live: JsonRecord | undefined): boolean => {
    health = healthOf(site, live ?? {})
    return health.state !== 'waiting'
  }
  if (!isServed(definition)) await untilObject(site, place, isServed, longest, signal)
  if (health.state !== 'ok') {
    const message = `${wordsOfObject(name)} is not served: ${health.message}`
    throw new Problem({ type: 'runtime', code: 'unhealthy', message })
  }
  site.discovery.invalidate()
  site.discovery.learn(definition)
}

/** Only while it is ours, unless it is to be replaced; done when it is really gone. */
async function remove(
  site: Site,
  name: ObjectName,
  isAllowed: boolean,
  context: Context,
): Promise<void> {
  const { signal } = context
  const kind = await site.discovery.find(name.apiVersion, name.kind, signal)
  // with its kind all objects of it went
  if (kind === undefined) return
  const place = { kind, namespace: name.namespace, name: name.name }
  const live = await getObject(site.kubernetes, place, signal)
  if (live === undefined) return
  const other = site.claims?.(refOfObject(name))
  const claimed = other === undefined ? undefined : `by now ${other} declares it`
  const why = isAllowed ? undefined : (keptBecause(live, ownerFor(site, live)) ?? claimed)
  if (why !== undefined) return context.warn(`${wordsOfObject(name)} is left as it is: ${why}`)
  const { uid } = metadataOf(live)
  if ((await deleteObject(site.kubernetes, place, { signal, uid })) === 'gone') {
    return forget(site, uid)
  }
  const held = await gone(site, place, uid, longest, signal, (text) => context.report(text))
  if (held !== undefined) throw stuck(name, held)
  forget(site, uid)
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

async function check(site: Site, object: Value, context: Context): Promise<void> {
  const { signal } = context
  const place = await placeOf(site, nameOfObject(object), signal)
  const applying = { signal, manager, isForced: true, isDryRun: true }
  await applyObject(site.kubernetes, place, opened(object, context), applying)
}

function opened(object: Value, context: Context): JsonRecord {
  const value = mapValue(object, (leaf) =>
    isSealed(leaf) ? Buffer.from(context.open(leaf)).toString('utf8') : leaf,
  )
  return recordOf(settled(value))
}
