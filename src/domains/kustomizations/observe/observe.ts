/** What is there and ours, and what the server says an apply of each wanted object would do. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { Target } from '#model/domain.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'
import { kindOf, type Ref } from '#model/ref.ts'
import type { Need, Observation, Observed, Resource } from '#model/resource.ts'
import { addAbandoned } from './orphaned-objects.ts'
import { forecastOf, type Subject } from './forecast.ts'
import type { SetContext } from '../memory.ts'
import { nameOfObject, namespaceRef } from '../object.ts'
import { forEachConcurrently } from '../for-each-concurrently.ts'
import { isListable, keyOfKind } from './managed-kinds.ts'
import { serverMark } from './server-fingerprint.ts'
import type { Value } from '#model/value.ts'
import { liveObjectJson, withoutSecrets } from './live-object.ts'
import { completed, survey, type ListedObject, type SurveyOptions } from './list-set.ts'
import { defined } from '#model/defined.ts'

type ObserveRequest = Pick<
  Parameters<Target['observe']>[0],
  'wanted' | 'refresh' | 'isGlance' | 'signal' | 'open'
>

/** Calls under way at once, over one connection. */
const width = 32

export async function observe(context: SetContext, request: ObserveRequest): Promise<Observation> {
  const { wanted, signal, refresh, isGlance = false } = request
  const options = { refresh, isGlance }
  context.before.clear()
  context.removed.clear()
  context.created.clear()
  const declared = new Map(wanted.map((resource) => [resource.ref, resource]))
  const asked = await Promise.all(wanted.map((one) => subjectOf(context, one, declared, signal)))
  const groups = new Set(asked.map(({ name }) => name.group))
  const [listed, server] = await Promise.all([
    searchAll(context, asked, options, signal),
    serverMark(context, groups, signal),
  ])
  context.server = server
  // where nothing is wanted there is nothing to do but to remove, and that is not done as long as something is not seen
  if (wanted.length === 0 && listed.unseen.length > 0) throw hiddenIn(listed)
  const subjects = await sureOf(context, asked, listed, declared, signal)
  await completeAll(context, subjects, listed, options, signal)
  await addAbandoned(context, listed.objects, signal)
  const world = new Map<Ref, Observed>(listed.unseen)
  await forEachConcurrently(width, subjects, async (subject) => {
    const live = listed.objects.get(subject.resource.ref)
    const blind =
      subject.kind === undefined ? undefined : listed.blind.get(keyOfKind(subject.kind))?.message
    const seen: Observed =
      blind === undefined
        ? await seenOf(context, subject, live, request)
        : { kind: 'unknown', why: blind }
    world.set(subject.resource.ref, seen)
  })
  for (const [ref, { object }] of await leftovers(context, listed, declared)) {
    world.set(ref, present(context, ref, object))
  }
  return world
}

/** What is no longer declared is of account only where it may be removed. Labels are copied: they alone make nothing ours. */
async function leftovers(
  context: SetContext,
  { objects, unseen }: Search,
  declared: ReadonlyMap<Ref, Resource>,
): Promise<readonly (readonly [Ref, ListedObject])[]> {
  if (context.options.prune !== true) {
    context.missed.clear()
    return []
  }
  const others = [...objects].filter(([ref]) => !declared.has(ref))
  if (others.length + unseen.length === 0 || context.ownedObjects === undefined) return others
  const own = await context.ownedObjects()
  const hidden = new Set(unseen.map(([key]) => key))
  for (const ref of own) if (hidden.has(kindOf(ref))) context.missed.add(ref)
  return others.filter(([ref]) => own.has(ref) || context.missed.has(ref))
}

/** What is known of a wanted object before anyone is asked about it. */
async function subjectOf(
  context: SetContext,
  resource: Resource,
  declared: ReadonlyMap<Ref, Resource>,
  signal: AbortSignal,
): Promise<Subject> {
  const name = nameOfObject(resource.spec)
  const kind = await context.discovery.find(name.apiVersion, name.kind, signal)
  if (kind !== undefined) context.kinds.set(keyOfKind(kind), kind)
  const definer = resource.needs.find(({ ref }) => isDefinitionRef(ref))?.ref
  const space = namespaceRef(name.namespace)
  const waits = kind === undefined ? definer : undefined
  return { resource, name, kind, waits, space: declared.has(space) ? space : undefined }
}

/** A kind that was served a while ago and is not now: its definition was removed. Then all is asked anew. */
async function sureOf(
  context: SetContext,
  subjects: readonly Subject[],
  { blind }: Search,
  declared: ReadonlyMap<Ref, Resource>,
  signal: AbortSignal,
): Promise<readonly Subject[]> {
  if (![...blind.values()].some(({ code }) => code === 'unknown_kind')) return subjects
  context.discovery.invalidate()
  for (const [key, { code }] of blind) if (code === 'unknown_kind') context.kinds.delete(key)
  return Promise.all(subjects.map(({ resource }) => subjectOf(context, resource, declared, signal)))
}

function isDefinitionRef(ref: Ref): boolean {
  return ref.startsWith('CustomResourceDefinition.apiextensions.k8s.io/')
}

async function seenOf(
  context: SetContext,
  subject: Subject,
  live: ListedObject | undefined,
  { signal, open }: ObserveRequest,
): Promise<Observed> {
  const { ref } = subject.resource
  try {
    const answer = await forecastOf(context, subject, live, open, signal)
    if ('unknown' in answer) return { kind: 'unknown', why: answer.unknown }
    const { object, forecast, replaceBecause, taken = [] } = answer
    if (object === undefined) return { kind: 'absent', forecast }
    const more = { taken, ...(replaceBecause === undefined ? {} : { replaceBecause }) }
    // one that is only declared, and left to others to make
    const given = metadataOf(object).uid === '' ? ({ isGiven: true } as const) : {}
    return { ...present(context, ref, object, more, subject.resource.spec), ...given, forecast }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'unknown', why: problemOf(error).message }
  }
}

function present(
  context: SetContext,
  ref: Ref,
  object: JsonRecord,
  more: Parameters<typeof liveObjectJson>[1] = {},
  spec: Value = null,
) {
  context.before.set(ref, object)
  const name = nameOfObject(object)
  const needs: readonly Need[] =
    name.namespace === ''
      ? []
      : [{ ref: namespaceRef(name.namespace), until: 'exists', renew: false }]
  const shown = withoutSecrets(object, context.salt, spec)
  return {
    kind: 'present',
    recorded: { hash: metadataOf(object).resourceVersion, spec: null, needs },
    outputs: {},
    live: liveObjectJson(shown, more),
    spares: [],
  } as const
}

function hiddenIn({ unseen, blind }: Search): Problem {
  const facts = defined(blind.get(defined(unseen[0])[0]))
  return new Problem({ ...facts, recoverable: true })
}

type Search = {
  readonly objects: Map<Ref, ListedObject>
  /** Kinds that could not be listed, and why. */
  readonly blind: Map<string, ProblemFacts>
  /** Kinds of which nothing is wanted but something may be ours: on their account nothing is removed. */
  readonly unseen: (readonly [Ref, Observed])[]
}

type OfKind = {
  readonly kind: ApiKind
  readonly subjects: readonly Subject[]
  /** Where objects of the kind are wanted, or were. */
  readonly homes: ReadonlySet<string>
}

async function searchAll(
  context: SetContext,
  subjects: readonly Subject[],
  options: SurveyOptions,
  signal: AbortSignal,
): Promise<Search> {
  const others = context.options.prune === true ? await otherKinds(context, signal) : []
  const all = byKind(context, subjects, others)
  context.clusterCache?.follow([...context.kinds.values()], spacesOf(context, subjects))
  const search: Search = { objects: new Map(), blind: new Map(), unseen: [] }
  await forEachConcurrently(width, [...all], async ([key, { kind, subjects: wanted, homes }]) => {
    try {
      const found = await survey(context, kind, wanted, homes, options, signal)
      for (const [ref, one] of found) search.objects.set(ref, one)
    } catch (error) {
      signal.throwIfAborted()
      const problem = factsOf(problemOf(error))
      search.blind.set(key, problem)
      // who may not even see a kind has made nothing of it
      const isNone = ['forbidden', 'unsupported', 'unknown_kind'].includes(problem.code)
      if (wanted.length === 0 && !isNone) {
        search.unseen.push([key, { kind: 'unknown', why: problem.message }])
      }
    }
  })
  return search
}

/** Where anything of the set is wanted, or was. */
function spacesOf(
  { inventory = [] }: SetContext,
  subjects: readonly Subject[],
): ReadonlySet<string> {
  const all = [...subjects.map(({ name }) => name), ...inventory]
  return new Set(all.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''))
}

async function completeAll(
  context: SetContext,
  subjects: readonly Subject[],
  { objects, blind }: Search,
  options: SurveyOptions,
  signal: AbortSignal,
): Promise<void> {
  await forEachConcurrently(width, [...byKind(context, subjects, [])], async ([key, of]) => {
    if (blind.has(key)) return
    try {
      const { kind, subjects: wanted, homes } = of
      const found = await completed(context, kind, wanted, homes, objects, options, signal)
      if (found === objects) return
      for (const { resource } of wanted) {
        const one = found.get(resource.ref)
        if (one === undefined) objects.delete(resource.ref)
        else objects.set(resource.ref, one)
      }
    } catch (error) {
      signal.throwIfAborted()
      blind.set(key, factsOf(problemOf(error)))
    }
  })
}

function byKind(
  { inventory = [] }: SetContext,
  subjects: readonly Subject[],
  others: readonly ApiKind[],
): ReadonlyMap<string, OfKind> {
  const all = new Map<string, { kind: ApiKind; subjects: Subject[]; homes: Set<string> }>()
  function of(kind: ApiKind) {
    const key = keyOfKind(kind)
    const known = all.get(key) ?? { kind, subjects: [], homes: new Set() }
    all.set(key, known)
    return known
  }
  for (const kind of others) of(kind)
  for (const one of subjects) {
    if (one.kind === undefined) continue
    const known = of(one.kind)
    known.kind = one.kind
    known.subjects.push(one)
    if (one.name.namespace !== '') known.homes.add(one.name.namespace)
  }
  for (const name of inventory) {
    if (name.namespace !== '') all.get(keyOfKind(name))?.homes.add(name.namespace)
  }
  return all
}

async function otherKinds(context: SetContext, signal: AbortSignal): Promise<readonly ApiKind[]> {
  const { discovery, inventory, clusterCache, owner } = context
  if (inventory === undefined) return (await discovery.preferred(signal)).filter(isListable)
  const names = new Map(inventory.map((name) => [`${name.apiVersion} ${name.kind}`, name]))
  const kinds = [...names.values()].map(({ apiVersion, kind }) =>
    discovery.find(apiVersion, kind, signal),
  )
  const known = (await Promise.all(kinds)).filter((kind) => kind !== undefined)
  return [...known, ...(clusterCache?.kindsOf(owner) ?? [])]
}
