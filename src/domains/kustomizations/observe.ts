/** What is there and ours, and what the server says an apply of each wanted object would do. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { listObjects } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Need, Observation, Observed, Resource } from '#model/resource.ts'
import { forecastOf, type Subject } from './forecast.ts'
import type { Site } from './memory.ts'
import {
  nameOfObject,
  namespaceRef,
  ownerSelector,
  refOfObject,
  type ObjectName,
} from './object.ts'
import { inTurn } from './in-turn.ts'
import { sightOf, withoutSecrets } from './sight.ts'

export type Looking = {
  /** What is ours but no longer wanted is looked for too. */
  readonly isPruning: boolean
  /** What the set consisted of before, where that is known: only these kinds are searched. */
  readonly inventory?: readonly ObjectName[]
}

/** Calls under way at once, over one connection. */
const width = 32

export async function observe(
  site: Site,
  looking: Looking,
  wanted: readonly Resource[],
  signal: AbortSignal,
): Promise<Observation> {
  const declared = new Map(wanted.map((resource) => [resource.ref, resource]))
  const subjects = await Promise.all(wanted.map((one) => subjectOf(site, one, declared, signal)))
  const listed = await listAll(site, looking, subjects, signal)
  const world = new Map<Ref, Observed>(listed.unseen)
  await inTurn(width, subjects, async (subject) => {
    const live = listed.objects.get(subject.resource.ref)
    const blind = subject.kind === undefined ? undefined : listed.blind.get(keyOf(subject.kind))
    const seen: Observed =
      blind === undefined
        ? await seenOf(site, subject, live, signal)
        : { kind: 'unknown', why: blind }
    world.set(subject.resource.ref, seen)
  })
  for (const [ref, object] of listed.objects) {
    if (!declared.has(ref)) world.set(ref, present(site, ref, object))
  }
  return world
}

/** What is known of a wanted object before anyone is asked about it. */
async function subjectOf(
  site: Site,
  resource: Resource,
  declared: ReadonlyMap<Ref, Resource>,
  signal: AbortSignal,
): Promise<Subject> {
  const name = nameOfObject(resource.spec)
  const kind = await site.discovery.find(name.apiVersion, name.kind, signal)
  if (kind !== undefined) site.kinds.set(keyOf(kind), kind)
  const definer = resource.needs.find(({ ref }) => isDefinitionRef(ref))?.ref
  const space = namespaceRef(name.namespace)
  const waits = kind === undefined ? definer : undefined
  return { resource, name, kind, waits, space: declared.has(space) ? space : undefined }
}

function isDefinitionRef(ref: Ref): boolean {
  return ref.startsWith('CustomResourceDefinition.apiextensions.k8s.io/')
}

async function seenOf(
  site: Site,
  subject: Subject,
  live: JsonRecord | undefined,
  signal: AbortSignal,
): Promise<Observed> {
  const { ref } = subject.resource
  try {
    const answer = await forecastOf(site, subject, live, signal)
    if ('unknown' in answer) return { kind: 'unknown', why: answer.unknown }
    const { object, forecast, replaceBecause } = answer
    if (object === undefined) return { kind: 'absent', forecast }
    return { ...present(site, ref, object, replaceBecause), forecast }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'unknown', why: problemOf(error).message }
  }
}

function present(site: Site, ref: Ref, object: JsonRecord, replaceBecause?: string) {
  site.before.set(ref, object)
  const name = nameOfObject(object)
  const needs: readonly Need[] =
    name.namespace === ''
      ? []
      : [{ ref: namespaceRef(name.namespace), until: 'exists', renew: false }]
  const shown = withoutSecrets(object, site.salt)
  return {
    kind: 'present',
    recorded: { hash: metadataOf(object).resourceVersion, spec: null, needs },
    outputs: {},
    live: sightOf(shown, replaceBecause),
    spares: [],
  } as const
}

type Found = {
  readonly objects: ReadonlyMap<Ref, JsonRecord>
  /** Kinds that could not be listed, and why. */
  readonly blind: ReadonlyMap<string, string>
  /** Kinds of which nothing is wanted but something may be ours: on their account nothing is removed. */
  readonly unseen: readonly (readonly [Ref, Observed])[]
}

async function listAll(
  site: Site,
  looking: Looking,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<Found> {
  const wantedKinds = new Map(subjects.flatMap(({ kind }) => (kind ? [[keyOf(kind), kind]] : [])))
  const others = looking.isPruning ? await otherKinds(site, looking, signal) : []
  const all = new Map([...others.map((kind) => [keyOf(kind), kind] as const), ...wantedKinds])
  const objects = new Map<Ref, JsonRecord>()
  const blind = new Map<string, string>()
  const unseen: (readonly [Ref, Observed])[] = []
  await inTurn(width, [...all], async ([key, kind]) => {
    const problem = await listOne(site, kind, objects, signal)
    if (problem === undefined) return
    blind.set(key, problem.message)
    const isElsewhere = !wantedKinds.has(key)
    // who may not even see a kind has made nothing of it
    if (isElsewhere && !['forbidden', 'unsupported', 'unknown_kind'].includes(problem.code)) {
      unseen.push([key, { kind: 'unknown', why: problem.message }])
    }
  })
  return { objects, blind, unseen }
}

async function listOne(
  site: Site,
  kind: ApiKind,
  objects: Map<Ref, JsonRecord>,
  signal: AbortSignal,
): Promise<ProblemFacts | undefined> {
  try {
    const selection = { labels: ownerSelector(site.owner) }
    const listed = await listObjects(site.kubernetes, kind, selection, signal)
    for (const object of listed.objects) {
      if (!isCopy(object)) objects.set(refOfObject(nameOfObject(object)), object)
    }
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return factsOf(problemOf(error))
  }
}

/** Some controllers copy labels to what they make of an object: that is theirs. */
function isCopy(object: JsonRecord): boolean {
  return JSON.stringify(object['metadata']).includes('"controller":true')
}

async function otherKinds(
  { discovery }: Site,
  { inventory }: Looking,
  signal: AbortSignal,
): Promise<readonly ApiKind[]> {
  if (inventory === undefined) {
    const all = await discovery.preferred(signal)
    return all.filter(({ verbs, kind }) => isListable(verbs) && !derived.has(kind))
  }
  const names = new Map(inventory.map((name) => [`${name.apiVersion} ${name.kind}`, name]))
  const kinds = [...names.values()].map(({ apiVersion, kind }) =>
    discovery.find(apiVersion, kind, signal),
  )
  return (await Promise.all(kinds)).filter((kind) => kind !== undefined)
}

const derived = new Set([
  'Event',
  'Endpoints',
  'EndpointSlice',
  'ControllerRevision',
  'ComponentStatus',
])

function isListable(verbs: readonly string[]): boolean {
  return verbs.includes('list') && verbs.includes('delete')
}

/** Versions of a kind are one. */
function keyOf({ group, kind }: ApiKind): string {
  return group === '' ? kind : `${kind}.${group}`
}
