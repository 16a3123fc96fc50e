/** What is there and ours, and what the server says an apply of each wanted object would do. */
import type { ApiKind } from '#clients/kubernetes/discovery.ts'
import { listObjects, type Selection } from '#clients/kubernetes/list.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import { factsOf, problemOf, type ProblemFacts } from '#model/problem.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Ref } from '#model/ref.ts'
import type { Need, Observation, Observed, Resource } from '#model/resource.ts'
import { forecastOf, type Subject } from './forecast.ts'
import type { Site } from './memory.ts'
import { nameOfObject, namespaceRef, ownerSelector, refOfObject } from './object.ts'
import { inTurn } from './in-turn.ts'
import { isCopy, isListable, keyOfKind } from './kinds.ts'
import { serverMark } from './server-mark.ts'
import { sightOf, withoutSecrets } from './sight.ts'

/** Calls under way at once, over one connection. */
const width = 32

export async function observe(
  site: Site,
  wanted: readonly Resource[],
  signal: AbortSignal,
): Promise<Observation> {
  site.before.clear()
  site.removed.clear()
  const declared = new Map(wanted.map((resource) => [resource.ref, resource]))
  const asked = await Promise.all(wanted.map((one) => subjectOf(site, one, declared, signal)))
  const groups = new Set(asked.map(({ name }) => name.group))
  const [listed, server] = await Promise.all([
    listAll(site, asked, signal),
    serverMark(site, groups, signal),
  ])
  site.server = server
  const subjects = await sureOf(site, asked, listed, declared, signal)
  site.sight?.follow([...site.kinds.values()], spacesOf(site, subjects))
  const world = new Map<Ref, Observed>(listed.unseen)
  await inTurn(width, subjects, async (subject) => {
    const live = listed.objects.get(subject.resource.ref)
    const blind =
      subject.kind === undefined ? undefined : listed.blind.get(keyOfKind(subject.kind))?.message
    const seen: Observed =
      blind === undefined
        ? await seenOf(site, subject, live, signal)
        : { kind: 'unknown', why: blind }
    world.set(subject.resource.ref, seen)
  })
  // what is no longer declared is of account only where it may be removed
  const others = site.ways.prune === true ? listed.objects : []
  for (const [ref, object] of others) {
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
  if (kind !== undefined) site.kinds.set(keyOfKind(kind), kind)
  const definer = resource.needs.find(({ ref }) => isDefinitionRef(ref))?.ref
  const space = namespaceRef(name.namespace)
  const waits = kind === undefined ? definer : undefined
  return { resource, name, kind, waits, space: declared.has(space) ? space : undefined }
}

/** A kind that was served a while ago and is not now: its definition was removed. Then all is asked anew. */
async function sureOf(
  site: Site,
  subjects: readonly Subject[],
  { blind }: Found,
  declared: ReadonlyMap<Ref, Resource>,
  signal: AbortSignal,
): Promise<readonly Subject[]> {
  if (![...blind.values()].some(({ code }) => code === 'unknown_kind')) return subjects
  site.discovery.invalidate()
  for (const [key, { code }] of blind) if (code === 'unknown_kind') site.kinds.delete(key)
  return Promise.all(subjects.map(({ resource }) => subjectOf(site, resource, declared, signal)))
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
    const { object, forecast, replaceBecause, taken = [] } = answer
    if (object === undefined) return { kind: 'absent', forecast }
    const more = { taken, ...(replaceBecause === undefined ? {} : { replaceBecause }) }
    // one that is only declared, and left to others to make
    const given = metadataOf(object).uid === '' ? ({ isGiven: true } as const) : {}
    return { ...present(site, ref, object, more), ...given, forecast }
  } catch (error) {
    signal.throwIfAborted()
    return { kind: 'unknown', why: problemOf(error).message }
  }
}

function present(
  site: Site,
  ref: Ref,
  object: JsonRecord,
  more: Parameters<typeof sightOf>[1] = {},
) {
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
    live: sightOf(shown, more),
    spares: [],
  } as const
}

type Found = {
  readonly objects: ReadonlyMap<Ref, JsonRecord>
  /** Kinds that could not be listed, and why. */
  readonly blind: ReadonlyMap<string, ProblemFacts>
  /** Kinds of which nothing is wanted but something may be ours: on their account nothing is removed. */
  readonly unseen: readonly (readonly [Ref, Observed])[]
}

async function listAll(
  site: Site,
  subjects: readonly Subject[],
  signal: AbortSignal,
): Promise<Found> {
  const wantedKinds = new Map(
    subjects.flatMap(({ kind }) => (kind ? [[keyOfKind(kind), kind]] : [])),
  )
  const others = site.ways.prune === true ? await otherKinds(site, signal) : []
  const all = new Map([...others.map((kind) => [keyOfKind(kind), kind] as const), ...wantedKinds])
  const objects = new Map<Ref, JsonRecord>()
  const blind = new Map<string, ProblemFacts>()
  const unseen: (readonly [Ref, Observed])[] = []
  await inTurn(width, [...all], async ([key, kind]) => {
    const problem = await listOne(site, kind, homesOf(site, subjects, kind), objects, signal)
    if (problem === undefined) return
    blind.set(key, problem)
    const isElsewhere = !wantedKinds.has(key)
    // who may not even see a kind has made nothing of it
    if (isElsewhere && !['forbidden', 'unsupported', 'unknown_kind'].includes(problem.code)) {
      unseen.push([key, { kind: 'unknown', why: problem.message }])
    }
  })
  return { objects, blind, unseen }
}

/** Where anything of the set is wanted, or was. */
function spacesOf({ inventory = [] }: Site, subjects: readonly Subject[]): ReadonlySet<string> {
  const all = [...subjects.map(({ name }) => name), ...inventory]
  return new Set(all.map(({ namespace }) => namespace).filter((namespace) => namespace !== ''))
}

/** Where objects of the kind are wanted, or were. */
function homesOf(site: Site, subjects: readonly Subject[], kind: ApiKind): ReadonlySet<string> {
  const wanted = subjects.flatMap((one) =>
    one.kind !== undefined && keyOfKind(one.kind) === keyOfKind(kind) ? [one.name.namespace] : [],
  )
  const before = (site.inventory ?? []).flatMap((name) =>
    name.group === kind.group && name.kind === kind.kind ? [name.namespace] : [],
  )
  return new Set([...wanted, ...before].filter((namespace) => namespace !== ''))
}

/** Who may not look at a whole cluster may still look where the set lives. */
async function listOne(
  site: Site,
  kind: ApiKind,
  homes: ReadonlySet<string>,
  objects: Map<Ref, JsonRecord>,
  signal: AbortSignal,
): Promise<ProblemFacts | undefined> {
  const labels = ownerSelector(site.owner)
  async function list(selection: Selection): Promise<void> {
    const listed = await listObjects(site.kubernetes, kind, selection, signal)
    for (const object of listed.objects) {
      if (!isCopy(object)) objects.set(refOfObject(nameOfObject(object)), object)
    }
  }
  try {
    await list({ labels }).catch(async (error: unknown) => {
      const isNarrow = kind.isNamespaced && homes.size > 0
      if (!isNarrow || problemOf(error).code !== 'forbidden') throw error
      for (const namespace of homes) await list({ labels, namespace })
    })
    return undefined
  } catch (error) {
    signal.throwIfAborted()
    return factsOf(problemOf(error))
  }
}

async function otherKinds(site: Site, signal: AbortSignal): Promise<readonly ApiKind[]> {
  const { discovery, inventory, sight, owner } = site
  if (inventory === undefined) return (await discovery.preferred(signal)).filter(isListable)
  const names = new Map(inventory.map((name) => [`${name.apiVersion} ${name.kind}`, name]))
  const kinds = [...names.values()].map(({ apiVersion, kind }) =>
    discovery.find(apiVersion, kind, signal),
  )
  const known = (await Promise.all(kinds)).filter((kind) => kind !== undefined)
  return [...known, ...(sight?.kindsOf(owner) ?? [])]
}
