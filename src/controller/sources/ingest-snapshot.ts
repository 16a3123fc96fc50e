/** A snapshot is there: which applications it holds, what it wants of them, and which ones are gone. */
import { isDeepStrictEqual } from 'node:util'
import { keyOf, type Application } from '#model/application.ts'
import type { Declared, Discovery } from '#model/declaration.ts'
import type { Cause } from '#model/event.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { yieldToEventLoop } from '#model/yield-to-event-loop.ts'
import { forget, hasRun, isBlank, remember, type ServiceState } from '../state/service-state.ts'
import type { Branch } from './repository-poller.ts'
import type { Refused } from '../declare/discover.ts'
import { badLink, linkBefore } from '../declare/links.ts'
import { troubleOf } from '../declare/written.ts'
import { kindFor } from './desired-state.ts'
import type { Founds } from '../discovery/find-apps.ts'
import { hiddenBy, type DiscoveredApps, type Total } from '../discovery/discovered-apps.ts'
import { massRemovalReason } from '../guards/mass-removal.ts'
import type { PersistedState } from '../state/persisted-state.ts'
import { holders } from '../discovery/name-holders.ts'
import { recall } from '../discovery/recall.ts'
import { refreshAnnounced } from './refresh-desired.ts'
import type { RepositoryRegistry } from './repository-registry.ts'
import {
  setDeclaration,
  setBranch,
  setMonitor,
  markPresent,
  markUnreadable,
  markGone,
  setFault,
  setCause,
  updatePersisted,
  type AppState,
} from '../state/app-state.ts'
import { createAppState } from '../state/create-app-state.ts'

/** Declarations that live in one branch. */
export type BranchDeclarations = {
  readonly branch: Branch
  readonly apps: readonly Declared[]
  readonly discoveries: ServiceState['declarations']['discoveries']
}

export async function ingestSnapshot(
  service: ServiceState,
  discovered: DiscoveredApps,
  share: BranchDeclarations,
  founds: Founds,
  cause: Cause,
): Promise<void> {
  const { branch, discoveries } = share
  const tree = branch.snapshot?.tree
  if (tree === undefined) return
  const breathe = yieldToEventLoop()
  for (const [discovery, found] of founds) discovered.put(discovery, branch, found)
  // what a lost database does not know has its name all the same
  for (const discovery of service.declarations.discoveries) await recall(service, discovery)
  const total = discovered.total(service.declarations, holders(service))
  for (const { message, suggestion, at } of total.newProblems) {
    const place = at && { file: `${at.file}:${at.line}:${at.column}` }
    const todo = suggestion === undefined ? '' : ` (${suggestion})`
    service.dependencies.log('error', `${message}${todo}`, place)
  }
  await ingestDeclared(service, share, tree, cause)
  // a name that was freed or taken here changes what others found too
  for (const { declared, discovery, branch: home } of total.found) {
    const isHere = home === branch || total.freed.has(keyOf(declared.application))
    if (!isHere) continue
    const { name, removesGone: removes } = discovery
    const app = await declare(service, declared, { branch: home, from: name, removes })
    await ingestPresent(service, app, cause)
    await breathe()
  }
  for (const one of total.refused) await refuse(service, one.refused, one.branch, one.discovery)
  for (const discovery of discoveries) await markMissing(service, discovery, branch, total, cause)
}

/** What is declared in files is known before its source is read, which may not be there for long. */
export async function registerDeclared(
  service: ServiceState,
  shares: Pick<RepositoryRegistry, 'branchFor'>,
): Promise<void> {
  for (const declared of service.declarations.apps) {
    const branch = shares.branchFor(declared.source)
    const isKnown = service.apps.has(keyOf(declared.application)) || declared.from !== undefined
    if (isKnown || branch === undefined) continue
    await declare(service, declared, { branch, from: '', removes: declared.policy.prune })
  }
}

/**
 * Those that are declared one by one. One that never was where it is said to be did not go from there: its path is wrong. Nor did
 * one whose folder is still there (a file of it was lost or has another name), nor one of a source that is empty.
 */
async function ingestDeclared(
  service: ServiceState,
  { branch, apps }: BranchDeclarations,
  tree: Tree,
  cause: Cause,
): Promise<void> {
  const breathe = yieldToEventLoop()
  const lost: AppState[] = []
  let before = 0
  for (const declared of apps) {
    const from = { branch, from: declared.from ?? '', removes: declared.policy.prune }
    const app = await declare(service, declared, from)
    const place = `${branch.status.shown} ${branch.ref} ${declared.path}`
    const wasThere = app.persisted.place === place
    if (wasThere && !app.persisted.isRemoved) before += 1
    const link = linkBefore(declared, tree, kindFor(service, app).files)
    if (link !== undefined) markUnreadable(app, hiddenBy([badLink(link)]))
    else if (kindFor(service, app).isThere(declared, tree)) {
      // written with the next note of it: without it nothing is taken for gone
      if (!wasThere) updatePersisted(app, { place })
      await ingestPresent(service, app, cause)
    } else if (wasThere && (app.persisted.isRemoved || isGoneFrom(tree, declared.path))) {
      lost.push(app)
    } else mislaid(service, app, notThere(declared, branch))
    await breathe()
  }
  const going = lost.filter(({ persisted }) => !persisted.isRemoved)
  const guarded = massRemovalReason({ before, lost: going.length, isWhole: true })
  if (guarded !== undefined) {
    service.dependencies.log('warning', `nothing is removed: ${guarded}`, {
      source: branch.status.shown,
    })
  }
  for (const app of lost) ingestGone(service, app, guarded, cause)
}

/** A source without any files is one that is not mounted, or was emptied by mistake. */
function isGoneFrom(tree: Tree, path: string): boolean {
  return tree.list(path).length === 0 && tree.list('').length > 0
}

function mislaid(service: ServiceState, app: AppState, fault: ProblemFacts): void {
  if (app.fault?.message !== fault.message) {
    service.dependencies.log('error', fault.message, {
      app: app.key,
      at: fault.at && placeText(fault.at),
    })
  }
  markUnreadable(app, fault)
}

function notThere({ application, path, at }: Declared, { status, ref }: Branch): ProblemFacts {
  const where = path === '' ? 'at the root' : `in ${path}`
  return troubleOf({
    code: 'not_found',
    message: `there is no ${application.kind} ${where} of ${status.shown}${ref === '' ? '' : ` ${ref}`}`,
    suggestion: 'check path and ref; what runs is left as it is',
    at,
  })
}

/** What was found before and is not any more. */
async function markMissing(
  service: ServiceState,
  discovery: Discovery,
  branch: Branch,
  total: Total,
  cause: Cause,
): Promise<void> {
  const { name, removesGone } = discovery
  const before = [...service.apps.values()].filter(
    ({ persisted }) => persisted.from === name && !persisted.isRemoved,
  )
  const lost = before.filter(({ key }) => !total.taken.has(key))
  if (lost.length === 0) return
  const found = total.founds.get(name)
  for (const app of lost) {
    setBranch(app, branch)
    setMonitor(app, app.monitor ?? service.monitorFor(app.application.kind, discovery.target))
    await remember(service, app, { removes: removesGone })
  }
  if (found?.isWhole !== true) {
    const fault = hiddenBy(found?.problems ?? [])
    service.dependencies.log('warning', `nothing is removed: ${fault.message}`, { discovery: name })
    for (const app of lost) markUnreadable(app, fault)
    return
  }
  const counts = { before: before.filter(hasRun).length, lost: lost.filter(hasRun).length }
  const guarded = massRemovalReason({ ...counts, isWhole: true })
  if (guarded !== undefined) {
    service.dependencies.log('warning', `nothing is removed: ${guarded}`, { discovery: name })
  }
  for (const app of lost) {
    if (isBlank(app)) await forget(service, app.key)
    else ingestGone(service, app, guarded, cause)
  }
}

/** The application is in its source, but its declaration can't be read: what runs is left alone. */
async function refuse(
  service: ServiceState,
  { application, problems }: Refused,
  branch: Branch,
  { name, removesGone: removes, target }: Discovery,
): Promise<void> {
  const key = keyOf(application)
  const known = service.apps.get(key)
  const app =
    known ??
    createAppState(
      application,
      service.dependencies.instance,
      await firstPersisted(service, application),
    )
  service.apps.set(key, app)
  setBranch(app, branch)
  setMonitor(app, service.monitorFor(application.kind, target))
  markUnreadable(app, problems[0])
  if (known === undefined || app.persisted.from !== name) {
    await remember(service, app, { from: name, removes, target, isRemoved: false })
  }
}

type Origin = { readonly branch: Branch; readonly from: string; readonly removes: boolean }

async function declare(
  service: ServiceState,
  declared: Declared,
  { branch, from, removes }: Origin,
): Promise<AppState> {
  const { application, target } = declared
  const { instance } = service.dependencies
  const key = keyOf(application)
  const monitor = service.monitorFor(application.kind, target)
  const known = service.apps.get(key)
  const app =
    known ?? createAppState(application, instance, await firstPersisted(service, application))
  service.apps.set(key, app)
  const isJudgedAnew = !isDeepStrictEqual(app.declared?.policy.security, declared.policy.security)
  setDeclaration(app, { declared, branch, monitor })
  // the operator wrote the line that the refusal offered: nothing else would try it again
  if (isJudgedAnew && known?.persisted.failure?.code === 'denied')
    await remember(service, app, { failure: undefined })
  const since = known === undefined ? (app.seen?.since ?? app.persisted.since) : app.persisted.since
  const { persisted } = app
  if (persisted.synced !== undefined && persisted.target !== target) {
    const text = 'it is to run elsewhere: what ran before is left where it is'
    service.dependencies.log('warning', text, {
      app: key,
      before: persisted.target ?? '',
      now: target ?? '',
    })
  }
  if (
    known === undefined ||
    persisted.from !== from ||
    persisted.removes !== removes ||
    persisted.since !== since ||
    persisted.target !== target ||
    persisted.path !== declared.path
  ) {
    await remember(service, app, { from, removes, since, target, path: declared.path })
  }
  return app
}

/** What the history knows of its first install counts; else the labels tell it later. */
async function firstPersisted(
  service: ServiceState,
  application: Application,
): Promise<PersistedState> {
  const { store, clock } = service.dependencies
  // without the history it counts as installed now, until its labels tell more
  const record = await store.application(application).catch(() => undefined)
  const isKnown = record !== undefined && !record.isUninstalled
  const since = isKnown ? record.since : clock.now()
  return { since, from: '', removes: false, isRemoved: false }
}

async function ingestPresent(service: ServiceState, app: AppState, cause: Cause): Promise<void> {
  markPresent(app)
  if (app.persisted.isRemoved) {
    await remember(service, app, { isRemoved: false, synced: undefined, failure: undefined })
  }
  // nobody else waits until it is rendered
  await refreshAnnounced(service, app, cause).begun
}

function ingestGone(
  service: ServiceState,
  app: AppState,
  guarded: string | undefined,
  cause: Cause,
): void {
  if (!app.isGone && !app.persisted.isRemoved) {
    service.dependencies.log('info', 'no longer in its source', { app: app.key })
    setCause(app, cause)
  }
  markGone(app, guarded)
  setFault(app, undefined)
}
