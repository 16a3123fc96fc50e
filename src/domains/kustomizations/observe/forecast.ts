/** Asks the server what an apply would do: its dry run, and no dry run where the answer can't have changed. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { applyObject, getObject } from '#clients/kubernetes/objects.ts'
import { fieldsAt } from '#clients/kubernetes/schema-fields.ts'
import { nearest } from '#formats/schema/suggestion.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { type ObjectPlace } from '#clients/kubernetes/api-path.ts'
import { isImmutable } from '#clients/kubernetes/problem.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { canonical, type JsonRecord } from '#model/json.ts'
import { factsOf, problemOf, type Problem, type ProblemFacts } from '#model/problem.ts'
import type { Ref } from '#model/ref.ts'
import type { Forecast, Resource } from '#model/resource.ts'
import { isSealed, mapValue, settled, type Sealed, type Value } from '#model/value.ts'
import { telling } from '../compare/compare.ts'
import { unknownFieldsIn } from './field-location.ts'
import { ignoredPaths, withoutIgnored } from './ignored-fields.ts'
import type { SetContext } from '../memory.ts'
import {
  isOwnedBy,
  isSecret,
  manager,
  nameOfObject,
  wishesOf,
  wordsOfObject,
  type ObjectName,
} from '../object.ts'
import { settle, isSettled } from './settled-objects.ts'
import { withoutSecrets } from './live-object.ts'
import type { ListedObject } from './list-set.ts'
import { contentOf, standingAt, untold } from '../taint.ts'
import { fieldAdoptionOf } from '../operate/adopt-fields.ts'
import { mayReplace } from '../apply-options.ts'

export type Subject = {
  readonly resource: Resource
  readonly name: ObjectName
  /** Undefined: the cluster does not know it. */
  readonly kind: ApiKind | undefined
  /** The definition of the same set that brings its kind, when the cluster does not know it. */
  readonly waits: Ref | undefined
  /** Its namespace, when that is of the same set. */
  readonly space: Ref | undefined
}

type Open = (secret: Sealed) => Uint8Array

export type Answer =
  | { readonly unknown: string }
  | {
      readonly object: JsonRecord | undefined
      readonly forecast: Forecast
      readonly replaceBecause?: string
      /** Whose fields become ours. */
      readonly taken?: readonly string[]
    }

export async function forecastOf(
  context: SetContext,
  subject: Subject,
  found: ListedObject | undefined,
  open: Open | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { resource, name, kind, waits } = subject
  if (waits !== undefined) return { object: undefined, forecast: { kind: 'waits', for: waits } }
  if (kind === undefined) return refused(context, subject, unknownKind(name))
  if (kind.isNamespaced && name.namespace === '') return refused(context, subject, homeless(name))
  const place = { kind, namespace: name.namespace, name: name.name }
  const wishes = wishesOf(resource.spec)
  const ignored = ignoredPaths(context.options.ignore ?? [], resource.spec)
  let live = found?.object
  if (live === undefined && (wishes.isLeftAlone || wishes.isMadeOnce || ignored.length > 0)) {
    live = await getObject(context.kubernetes, place, signal)
  }
  // the author wants it as it is, and where there is none, none is made
  if (wishes.isLeftAlone) return { object: live ?? recordOf(resource.spec), forecast: asItIs }
  if (live !== undefined && (wishes.isMadeOnce || wishesOf(live).isLeftAlone)) {
    return { object: live, forecast: asItIs }
  }
  const isKnown = found !== undefined && isSettled(context, resource, found.marks)
  if (isKnown && holdsSame(resource, found.object, open)) {
    return {
      object: found.object,
      forecast: accepted(withoutSecrets(found.object, context.salt, resource.spec)),
    }
  }
  if (found?.isWhole === false) live = await getObject(context.kubernetes, place, signal)
  const bodyOver = (object: JsonRecord | undefined): JsonRecord =>
    recordOf(settled(withoutIgnored(withContents(resource, object, open), object, ignored)))
  try {
    if (live === undefined) {
      // most often there is none: then nothing of the answer counts but that it is taken
      const first = await rehearsed(context, place, bodyOver(live), signal, true)
      if (metadataOf(first).resourceVersion === '') return { object: live, forecast: asItIs }
      live = await getObject(context.kubernetes, place, signal)
      if (live === undefined) return { object: live, forecast: asItIs }
    }
    const result = await rehearsed(context, place, bodyOver(live), signal, false)
    const taken = fieldAdoptionOf(resource.spec, live)?.managers
    if (taken === undefined && isSame(result, live)) settle(context, resource, live)
    const forecast = accepted(withoutSecrets(result, context.salt, resource.spec))
    return { object: live, forecast, ...(taken === undefined ? {} : { taken }) }
  } catch (error) {
    signal.throwIfAborted()
    const told = untold(error, resource.spec, open)
    return declined(context, subject, told, isImmutable(problemOf(error)), live, signal)
  }
}

/** How long the server may think about one object, ms. */
const longest = 30_000

async function rehearsed(
  { kubernetes }: SetContext,
  place: ObjectPlace,
  body: JsonRecord,
  signal: AbortSignal,
  isMetadataOnly: boolean,
): Promise<JsonRecord> {
  const how = { isForced: true, isDryRun: true, limit: longest, isMetadataOnly }
  const applying = { signal, manager, ...how }
  return applyObject(kubernetes, place, body, applying)
}

/** Whether it is the object that is wrong, something of the same set that is not there yet, or nobody knows. */
async function declined(
  context: SetContext,
  subject: Subject,
  problem: Problem,
  isFixed: boolean,
  listed: JsonRecord | undefined,
  signal: AbortSignal,
): Promise<Answer> {
  const { resource, name, space } = subject
  const isHomeless = problem.message.includes(`namespaces "${name.namespace}" not found`)
  if (isHomeless && space !== undefined) {
    return { object: undefined, forecast: { kind: 'waits', for: space } }
  }
  if (problem.code === 'timed_out') return refused(context, subject, factsOf(problem), listed)
  if (problem.recoverable) return { unknown: problem.message }
  const facts = factsOf(problem)
  if (problem.code === 'unknown_field') {
    return refused(context, subject, await withFields(context, subject, facts, signal), listed)
  }
  if (isHomeless) return refused(context, subject, { ...facts, suggestion: settling }, listed)
  if (!isFixed) return refused(context, subject, facts, listed)
  if (!mayReplace(context.options, resource.spec, listed)) {
    return refused(context, subject, { ...facts, suggestion: replacing }, listed)
  }
  if (listed === undefined || !isOwnedBy(listed, context.owner)) {
    return refused(context, subject, { ...facts, suggestion: adopting }, listed)
  }
  const replaceBecause = `it can't be changed in place: ${problem.details.join('; ') || problem.message}`
  return {
    object: listed,
    forecast: accepted(withoutSecrets(listed, context.salt, resource.spec)),
    replaceBecause,
  }
}

/** With the names that were meant. */
async function withFields(
  { kubernetes }: SetContext,
  { kind }: Subject,
  facts: ProblemFacts,
  signal: AbortSignal,
): Promise<ProblemFacts> {
  const meant: string[] = []
  for (const path of unknownFieldsIn(facts.message)) {
    const parent = path.slice(0, -1)
    const fields = kind && (await fieldsAt(kubernetes, kind, parent, signal))
    const name = nearest(path.at(-1) ?? '', fields ?? [])
    if (name !== undefined) meant.push([...parent, name].join('.'))
  }
  if (meant.length === 0) return facts
  return { ...facts, suggestion: `did you mean ${[...new Set(meant)].join(' and ')}?` }
}

const settling = 'correct metadata.namespace, or add the Namespace to this kustomization'
const replacing =
  'change it back, or allow its replacement with the annotation kustomize.toolkit.fluxcd.io/force: enabled or spec.force'
const adopting = 'remove the one that is there: it is not of this kustomization'

const asItIs: Forecast = { kind: 'accepted', result: {} }

function accepted(result: JsonRecord): Forecast {
  return { kind: 'accepted', result }
}

async function refused(
  { placeOf }: SetContext,
  { resource, name }: Subject,
  facts: ProblemFacts,
  live?: JsonRecord,
): Promise<Answer> {
  const { ref, origin } = resource
  const at = (await placeOf?.(origin, name.kind, facts.message)) ?? origin
  const problem = { ...facts, ref, at }
  return { object: live, forecast: { kind: 'refused', problem } }
}

/** The server judges what secrets really hold. Where they are not at hand, what is there stands for them, or nothing. */
function withContents(
  resource: Resource,
  live: JsonRecord | undefined,
  open: Open | undefined,
): Value {
  const data = recordOf(live?.['data'])
  return mapValue(resource.spec, (leaf) => {
    if (!isSealed(leaf)) return leaf
    if (open !== undefined) return contentOf(leaf, open(leaf))
    const standing = standingAt(leaf, live)
    return standing ?? textOf(data[leaf.sealed.slice(leaf.sealed.lastIndexOf('#') + 1)])
  })
}

/** Whether no secret of it has other contents now: their places stay the same. */
function holdsSame({ spec }: Resource, live: JsonRecord, open: Open | undefined): boolean {
  // what others hold is in the names of their places
  if (open === undefined || !isSecret(nameOfObject(spec))) return true
  const data: Readonly<Record<string, Value>> = recordOf(recordOf(spec)['data'])
  const have = recordOf(live['data'])
  return Object.entries(data).every(([key, value]) => {
    return !isSealed(value) || Buffer.from(open(value)).toString('utf8') === have[key]
  })
}

function isSame(result: JsonRecord, live: JsonRecord): boolean {
  return canonical(telling(result)) === canonical(telling(live))
}

function unknownKind(name: ObjectName): ProblemFacts {
  return {
    type: 'validation',
    code: 'unknown_kind',
    message: `the cluster knows no kind ${name.kind} in ${name.apiVersion}`,
    suggestion:
      'install its CustomResourceDefinition, add it to this kustomization, or correct apiVersion and kind',
  }
}

function homeless(name: ObjectName): ProblemFacts {
  return {
    type: 'validation',
    code: 'missing_field',
    message: `${wordsOfObject(name)} names no namespace`,
    suggestion: 'set metadata.namespace, or targetNamespace of the kustomization',
  }
}
