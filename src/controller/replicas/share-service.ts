/** The service as one of several: which applications it looks after, and how it hears of the others. */
import { readFileSync } from 'node:fs'
import { applicationOf } from '#kinds/application-of.ts'
import type { TargetRow } from '#model/api.ts'
import { isRecord, type Json } from '#model/json.ts'
import type { Offer } from '#model/replicas.ts'
import type { AppStatus, ServiceEvent } from '#model/service.ts'
import { engineFacts } from '../api/engine-facts.ts'
import { targetsOf } from '../api/sources-and-targets.ts'
import type { TargetMonitors } from '../monitor/target-monitors.ts'
import { polled, type Branch } from '../sources/repository-poller.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import { setMonitor, setPersisted, setStatus, touch, type AppState } from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { Peers } from './peers.ts'
import type { KnownDuty } from './share-duties.ts'
import { dutyOf, type SharedRefs } from './shared-refs.ts'

type SharedParts = {
  readonly service: ServiceState
  readonly registry: RepositoryRegistry
  readonly monitors: TargetMonitors
  readonly refs: SharedRefs
  /** To those who listen here alone. */
  relay(event: ServiceEvent): void
  takeOver(branch: Branch): Promise<void>
  /** Applications became ours, or somebody else's. */
  moved(keys: readonly string[], areOurs: boolean): void
}

export type Shared = {
  /** What was shown before this one joined. */
  recall(): void
  begin(): Promise<void>
  /** Something happened to what is ours. */
  publish(event: ServiceEvent): void
  /** It happened to what is ours: one of all replicas writes it down and tells of it. */
  isOwn(event: ServiceEvent): boolean
  /** Where others look, as they saw it last. */
  targets(): readonly TargetRow[]
}

const appView = 'app '
const targetsView = 'targets '
/** Nobody declares it any more, as it seems here: others have so long to say otherwise, ms. */
const undeclaredAfter = 30_000
/** How often others are told what is seen of targets, at most, ms. */
const targetsEvery = 5_000

export function shareService(peers: Peers, parts: SharedParts): Shared {
  const { service, registry, monitors, refs } = parts
  const { clock, instance, kinds } = service.dependencies
  const targetRows = new Map<string, readonly TargetRow[]>()
  const undeclaredSince = new Map<string, number>()
  const facts = engineFacts(clock, service.stop)
  let toldTargets = ''
  let targetsAt = 0

  /** As its holder told it. */
  function mirrored(key: string, body: Json): AppState | undefined {
    const application = applicationOf(key)
    if (application === undefined || !isAppView(body)) return undefined
    const app = service.apps.get(key) ?? createAppState(application, instance, body.persisted)
    service.apps.set(key, app)
    setPersisted(app, body.persisted)
    setStatus(app, body.status)
    return app
  }

  function showed(key: string, body: Json | undefined): void {
    if (refs.showed(key, body)) return askAgain(key)
    if (key.startsWith(targetsView)) return keepTargets(key, body)
    if (!key.startsWith(appView)) return
    const name = key.slice(appView.length)
    if (service.isOurs(name)) return
    if (body !== undefined) {
      const status = mirrored(name, body)?.status
      if (status !== undefined) parts.relay({ type: 'app', status })
    } else if (service.apps.delete(name)) {
      parts.relay({ type: 'gone', key: name, at: clock.now() })
    }
    service.wake()
  }

  /** Another one heard that refs moved: what they mean is fetched, and runs here for the same reason as there. */
  function askAgain(key: string): void {
    for (const repo of registry.repos.values()) {
      if (dutyOf(repo) !== key) continue
      if (repo.cause === polled) repo.cause = refs.causeOf(key) ?? polled
      void repo.poll().finally(() => service.wake())
    }
  }

  function keepTargets(key: string, body: Json | undefined): void {
    const id = key.slice(targetsView.length)
    if (isTargetRows(body)) targetRows.set(id, body)
    else targetRows.delete(id)
  }

  function known(): readonly KnownDuty[] {
    const names = new Map<string, string>()
    function nameOf({ application, declared, persisted }: AppState): string {
      const target = declared === undefined ? persisted.target : declared.target
      const mark = `${application.kind} ${target ?? ''}`
      const name = names.get(mark) ?? monitors.nameOf(application.kind, target)
      names.set(mark, name)
      return name
    }
    const apps = [...service.apps.values()].filter(isKnownHere).map((app) => ({
      key: app.key,
      target: nameOf(app),
      isBusy: app.underWay !== undefined || app.asks.length > 0 || app.refresh !== undefined,
    }))
    const repos = [...registry.repos.values()].map((repo) => ({
      key: dutyOf(repo),
      target: 'repository',
      isBusy: repo.isAsking(),
    }))
    return [...apps, ...repos]
  }

  function isKnownHere({ key, application, declared }: AppState): boolean {
    if (!kinds.some(({ name }) => name === application.kind)) return false
    if (declared !== undefined || peers.isOurs(key)) {
      undeclaredSince.delete(key)
      return true
    }
    // a replica with older declarations must not take it for gone
    const since = undeclaredSince.get(key) ?? clock.now()
    undeclaredSince.set(key, since)
    if (peers.addressOf(key) !== undefined) undeclaredSince.delete(key)
    return peers.isLeader() && clock.now() - since > undeclaredAfter
  }

  function offers(): readonly Offer[] {
    for (const [before, now] of monitors.offerAgain()) {
      for (const app of service.apps.values()) if (app.monitor === before) setMonitor(app, now)
    }
    const places = [...monitors.named()].map(([target, monitor]) => ({
      target,
      engine: engineAt(target),
      isSeen: monitor.problem() === undefined && monitor.listing() !== undefined,
    }))
    void showTargets()
    return [...places, { target: 'repository', engine: '', isSeen: true }]
  }

  /** As it is seen from here, for the others. */
  async function showTargets(): Promise<void> {
    if (clock.now() - targetsAt < targetsEvery) return
    targetsAt = clock.now()
    const rows = await targetsOf(service, monitors.all(), facts)
    const text = JSON.stringify(rows)
    if (text === toldTargets) return
    toldTargets = text
    peers.show(targetsView + peers.id, JSON.parse(text))
  }

  async function gained(keys: readonly string[]): Promise<void> {
    if (keys.every((key) => !service.apps.has(key))) return
    const notes = await service.persisted.read()
    for (const key of keys) {
      const [app, note] = [service.apps.get(key), notes.get(key)]
      if (app === undefined || note === undefined) continue
      // what happened to the target before was counted by another process
      const failure = note.failure && { ...note.failure, epoch: 0 }
      setPersisted(app, { ...note, failure })
    }
  }

  function taken(keys: readonly string[]): void {
    const own = new Set(keys)
    for (const repo of registry.repos.values()) {
      if (own.has(dutyOf(repo))) repo.nextAsking = clock.now()
    }
    const apps = keys.flatMap((key) => service.apps.get(key) ?? [])
    for (const app of apps) touch(app)
    parts.moved(keys, true)
    const branches = new Set(apps.flatMap(({ branch }) => branch ?? []))
    void ingestAgain(branches, apps)
    service.dependencies.log('info', 'looks after', { apps: apps.length })
  }

  async function ingestAgain(
    branches: ReadonlySet<Branch>,
    apps: readonly AppState[],
  ): Promise<void> {
    // what was done to them under another replica was no news here
    const places = new Set(apps.flatMap(({ monitor }) => monitor ?? []))
    await Promise.all([...places].map((monitor) => monitor.look()))
    for (const branch of branches) await parts.takeOver(branch)
    for (const app of apps) if (app.branch === undefined) await service.check(app)
    service.wake()
  }

  return {
    recall() {
      for (const [key, body] of peers.shown) {
        if (key.startsWith(appView)) mirrored(key.slice(appView.length), body)
        else if (key.startsWith(targetsView)) keepTargets(key, body)
      }
    },
    async begin() {
      await peers.begin({
        known,
        offers,
        gained,
        taken,
        lost: (keys) => parts.moved(keys, false),
        heard(word) {
          if (isRunWord(word)) parts.relay(word)
        },
        showed,
        changed: () => service.wake(),
      })
      for (const id of targetRows.keys()) {
        if (!peers.replicas().some((one) => one.id === id)) peers.show(targetsView + id, undefined)
      }
    },
    publish(event) {
      if (event.type === 'app') {
        const app = service.apps.get(event.status.key)
        if (app === undefined) return
        peers.show(appView + app.key, plain({ status: event.status, persisted: app.persisted }))
      } else if (event.type === 'gone') {
        peers.show(appView + event.key, undefined)
        peers.ended(event.key)
      } else if (event.type === 'run' && event.event.type !== 'progress') peers.tell(plain(event))
    },
    isOwn(event) {
      if (event.type === 'app') return peers.isOurs(event.status.key)
      if (event.type !== 'source') return peers.isOurs(event.key)
      for (const repo of registry.repos.values()) {
        const isIts = [...repo.branches.values()].some(({ status }) => status === event.status)
        if (isIts) return repo.repository.comesFrom === undefined || peers.isOurs(dutyOf(repo))
      }
      return false
    },
    targets() {
      const living = new Set(peers.replicas().map(({ id }) => id))
      return [...targetRows].flatMap(([id, rows]) => (living.has(id) ? rows : []))
    },
  }
}

/** What is reached over a network is the same from everywhere; a socket or a file is that of one machine. */
function engineAt(target: string): string {
  const address = target.slice(target.indexOf(' ') + 1)
  return /^(tcp|ssh|https?):/.test(address) ? address : machine()
}

function machine(): string {
  try {
    return readFileSync('/proc/sys/kernel/random/boot_id', 'utf8').trim()
  } catch {
    // there is no /proc: its name has to do
    return 'this machine'
  }
}

function plain(value: unknown): Json {
  return JSON.parse(JSON.stringify(value))
}

type AppView = { readonly status: AppStatus; readonly persisted: PersistedState }

function isAppView(body: unknown): body is AppView {
  return isRecord<Json>(body) && isRecord(body['status']) && isRecord(body['persisted'])
}

function isTargetRows(body: unknown): body is readonly TargetRow[] {
  return Array.isArray(body)
}

function isRunWord(word: unknown): word is Extract<ServiceEvent, { readonly type: 'run' }> {
  return isRecord<Json>(word) && word['type'] === 'run'
}
