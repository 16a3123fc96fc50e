/** Between Flux's objects and the service: objects become declarations, what comes of them becomes statuses. */
import { keyOf as appKeyOf } from '#model/application.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import { refOfObject } from '#domains/kustomizations/object.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import type { BaseFetched } from '#sources/remote-bases.ts'
import type { Artifact } from '#sources/artifact/repository.ts'
import { artifactSources } from './artifact-sources.ts'
import type { Clock } from '#model/clock.ts'
import type { Declarations } from '#model/declaration.ts'
import { canonical, type Json } from '#model/json.ts'
import { problemOf } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import { coalesceCalls } from '../coalesce-calls.ts'
import type { ClaimsBook } from '#kinds/kustomizations/claims-book.ts'
import type { Log } from '#model/log.ts'
import type { Controller } from '../open-service.ts'
import { declare, fluxFrom, isHeld, removesOn, type FluxDeclared } from './declare.ts'
import { clusterEvents } from './cluster-events.ts'
import { resolveReferences, referencesOf, type Gathered } from './resolve-references.ts'
import { applicationFor, kustomizations, repositories, type FluxObject } from './kinds.ts'
import { eventRecorderParts } from './event-recorder-parts.ts'
import { createEventRecorder } from './event-recorder.ts'
import { createInformer } from './informer.ts'
import { notifierOf } from './notify.ts'
import type { OwnArtifacts } from './own-artifacts.ts'
import type { ReadyExpressions } from './ready-expressions.ts'
import { referencesIn, type Reference } from './references.ts'
import { revisionsOf } from './revisions.ts'
import { requestsOf } from './requests.ts'
import { secretsNamedBy } from './read-repositories.ts'
import { sourceReadsOf } from './source-reads.ts'
import type { RepositoryRead } from './repository.ts'
import { statusesOf } from './statuses.ts'
import { reportRejected, rejectedObjectsOf, type RejectedObjects } from './rejected-objects.ts'
import { writerTo } from './write.ts'

export type FluxParts = {
  readonly kubernetes: Kubernetes
  readonly discovery: Discovery
  readonly service: Controller
  readonly store: Store
  readonly clock: Clock
  readonly log: Log
  /** Shared with the kind that runs them. */
  readonly gathered: Map<string, Gathered>
  /** Shared with the repositories: secrets by the names that credentials give them. */
  readonly held: Map<string, string>
  /** Shared with the repositories: what source-controller announces, by the name of a source. */
  readonly announced: { find: (name: string) => Artifact | undefined }
  /** Shared with the kind that runs them: objects by the keys of their applications. */
  readonly known: Map<string, FluxObject>
  /** Shared with the kind that runs them. */
  readonly claims: ClaimsBook
  readonly target: string | undefined
  /** Flux's source-controller is at work: what is said of GitRepositories is its word. */
  readonly leavesSources: () => boolean
  /** Where Flux's notification-controller takes events; undefined: it is not at work. */
  readonly eventsAddress: () => string | undefined
  readonly artifacts: OwnArtifacts
  /** Bases on other machines that an application was built from. */
  readonly remotes: (key: string) => ReadonlyMap<string, BaseFetched> | undefined
  readonly expressions: ReadyExpressions
  /** The cluster has Flux's two kinds; without them only files declare. */
  readonly hasKinds: boolean
}

export type Flux = {
  readonly troubles: RejectedObjects
  /** What files declare; the objects are added to it. */
  reload(declarations: Declarations): Promise<void>
  /** Has the object of an application say so; false when none declares it. */
  suspend(key: string, isSuspended: boolean): Promise<boolean>
  /** Until the signal. */
  keep(signal: AbortSignal): Promise<void>
}

/** Who waits for health holds up nobody else. */
const atOnce = 16

/** ms. An object that somebody else changes at the same moment is enough for it. */
const afterTrouble = 1_000

const nothing: FluxDeclared = { apps: [], sources: [], leaving: [], troubles: new Map() }

export function openFlux(parts: FluxParts, declarations: Declarations): Flux {
  const { kubernetes, service, clock, log, gathered, known, claims, target } = parts
  const writer = writerTo(kubernetes)
  const hooks = { changed: () => void update(), lost: (why: string) => log('warning', why) }
  const gits = createInformer(kubernetes, repositories, clock, {
    ...hooks,
    told(key) {
      statuses.soon(`git ${key}`)
      sourceReads.hear(gits.objects.get(key))
    },
  })
  const others = artifactSources(kubernetes, parts.discovery, clock, {
    ...hooks,
    told: () => void update(),
  })
  parts.announced.find = others.find
  const sets = createInformer(kubernetes, kustomizations, clock, {
    ...hooks,
    told(key) {
      statuses.soon(key)
      // another one may wait for what is said of it
      const one = sets.objects.get(key)
      if (one !== undefined) known.set(appKeyOf(applicationFor(one)), one)
      service.wake()
    },
  })
  const troubles = rejectedObjectsOf()
  const notify = notifierOf({ address: parts.eventsAddress, clock, log })
  const references = referencesIn(kubernetes, clock, () => void update())
  const sourceReads = sourceReadsOf({
    ...parts,
    gits,
    others,
    references,
    changed: () => void update(),
  })
  let files = declarations
  let declared = nothing
  let reads: ReadonlyMap<string, RepositoryRead> = new Map()
  let inForce = ''
  let stop: AbortSignal = AbortSignal.abort()

  const announced = (revision: string) => others.shown(revision)
  const revisions = revisionsOf({ service, gits, reads: () => reads, announced })
  const statuses = statusesOf({
    ...parts,
    writer,
    gits,
    sets,
    reads: () => reads,
    revisions,
    declared: () => declared,
    served: (key) => requests.served(key),
  })
  const requests = requestsOf({
    service,
    clock,
    sets,
    gits,
    gathered,
    reads: () => reads,
    leavesSources: parts.leavesSources,
    done: () => statuses.all(),
  })

  const update = coalesceCalls(async () => {
    const isWhole = gits.isWhole() && sets.isWhole() && others.isWhole()
    if (stop.aborted || (parts.hasKinds && !isWhole)) return
    try {
      await holdAll()
      await look()
      requests.handle()
      statuses.all()
    } catch (thrown) {
      if (stop.aborted) return
      log('error', "Flux's objects can't be followed", { why: problemOf(thrown).message })
      void clock.sleep(afterTrouble, stop).then(update, () => undefined)
    }
  })
  async function look(): Promise<void> {
    await references.want(referenced())
    reads = sourceReads.now()
    for (const one of sets.objects.values()) {
      const { spec } = readSpec(one.spec)
      const key = appKeyOf(applicationFor(one))
      gathered.set(key, resolveReferences(spec, one.namespace, references))
      known.set(key, one)
      const inventory = one.status['inventory'] ?? null
      if (!one.isDeleting) claims.remember(key, () => namesIn(inventory).map(refOfObject))
      else if (removesOn(spec)) claims.leave(key)
    }
    const objects = [...sets.objects.values()]
    for (const { application, values } of declaredInFiles()) {
      const { spec } = readSpec(values)
      gathered.set(
        appKeyOf(application),
        resolveReferences(spec, application.namespace ?? '', references),
      )
    }
    const { faultOf } = parts.expressions
    declared = declare({ kustomizations: objects, repositories: reads, target, faultOf })
    await reload()
    sourceReads.ask(declared.sources)
    await forgetGone()
    troubles.put(declared.troubles, objects)
  }

  /** An object that went without its finalizer takes nothing with it, and is nobody's business any more. */
  async function forgetGone(): Promise<void> {
    const leaving = new Set(declared.leaving.map(({ application }) => appKeyOf(application)))
    for (const { key, application } of service.apps()) {
      const isOurs = service.appState(key)?.persisted.from === fluxFrom
      const name = `${application.namespace}/${application.name}`
      if (!isOurs || leaving.has(key) || sets.objects.has(name) || !sets.isWhole()) continue
      await service.drop(key)
      known.delete(key)
      gathered.delete(key)
    }
    const inFiles = declaredInFiles().map(({ application }) => appKeyOf(application))
    const staying = [...sets.objects.values()].filter((one) => !one.isDeleting)
    const keys = staying.map((one) => appKeyOf(applicationFor(one)))
    // what is declared no more claims nothing, also while it still goes; what is only in trouble keeps what it has
    claims.keepOnly(new Set([...keys, ...inFiles]))
  }

  async function reload(): Promise<void> {
    const { apps, sources, leaving } = declared
    const marks = apps.map(({ application }) => gathered.get(appKeyOf(application))?.mark ?? '')
    const own = declaredInFiles().map((one) => gathered.get(appKeyOf(one.application))?.mark)
    const plain: Json = JSON.parse(JSON.stringify([files, apps, sources, leaving, marks, own]))
    const text = canonical(plain)
    if (text === inForce) return
    inForce = text
    const concurrency = Math.max(files.concurrency, atOnce)
    await service.reload({
      ...files,
      apps: [...files.apps, ...apps],
      sources,
      leaving,
      concurrency,
    })
    // an asking that is under way knows nothing of a new branch, and the next one may be far
    for (const { source } of sources) {
      if (service.branchFor(source)?.status.at === 0) void service.ask(source)
    }
  }

  function declaredInFiles() {
    return files.apps.filter(({ application }) => application.kind === 'kustomization')
  }

  function referenced(): readonly Reference[] {
    const secrets = secretsNamedBy(gits.objects.values())
    const others = [...sets.objects.values()].flatMap(({ namespace, spec }) =>
      referencesOf(readSpec(spec).spec, namespace),
    )
    const inFiles = declaredInFiles().flatMap(({ values, application }) =>
      referencesOf(readSpec(values).spec, application.namespace ?? ''),
    )
    return [...secrets, ...others, ...inFiles]
  }

  /** Sources that Flux held are let go: nothing is kept for them that would stay behind. */
  async function holdAll(): Promise<void> {
    const loose = [...sets.objects.values()].filter((one) => !one.isDeleting && !isHeld(one))
    const ends = parts.leavesSources() ? [] : [...gits.objects.values()]
    const going = ends.filter((one) => one.isDeleting && isHeld(one))
    await Promise.all([
      ...loose.map(async (one) => sets.learn(await writer.hold(kustomizations, one, stop))),
      ...going.map(async (one) => gits.learn(await writer.release(repositories, one, stop))),
    ])
  }

  return {
    troubles,
    async reload(next) {
      files = next
      await update()
    },
    async suspend(key, isSuspended) {
      const one = sets.objects.get(known.get(key)?.key ?? '')
      if (one === undefined) return false
      sets.learn(await writer.suspend(kustomizations, one, isSuspended, stop))
      await update()
      return true
    },
    async keep(signal) {
      stop = signal
      const events = clusterEvents(kubernetes, clock, log, notify)
      const endTroubles = reportRejected(troubles, events)
      const facts = { ...parts, events, gits, revisions, reads: () => reads }
      const tell = createEventRecorder(eventRecorderParts(facts))
      const end = service.listen((event) => {
        statuses.hear(event)
        tell(event)
      })
      try {
        const mirrors = parts.hasKinds
          ? [gits.keep(signal), sets.keep(signal), others.keep(signal), sourceReads.keep(signal)]
          : [update()]
        await Promise.all([...mirrors, statuses.keep(signal)])
      } catch (thrown) {
        if (!signal.aborted) throw thrown
      } finally {
        end()
        endTroubles()
        references.close()
      }
    },
  }
}
