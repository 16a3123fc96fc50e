/** A snapshot is there: which applications it holds, what it wants of them, and which ones are gone. */
import { keyOf, type Application } from '#model/application.ts'
import type { Declared, Discovery } from '#model/declaration.ts'
import type { Trigger } from '#model/event.ts'
import { placeText, type ProblemFacts } from '#model/problem.ts'
import type { Tree } from '#model/tree.ts'
import { breather } from '#sources/breather.ts'
import { forget, hasRun, isBlank, remember, type Board } from './board.ts'
import type { Branch } from './branches.ts'
import type { Refused } from './declare/discover.ts'
import { badLink, linkBefore } from './declare/links.ts'
import { troubleOf } from './declare/written.ts'
import { applicationOf } from '#kinds/application-of.ts'
import { kindFor } from './desired.ts'
import type { Founds } from './find-apps.ts'
import { foundByText } from './found-by.ts'
import { hiddenBy, type Finds, type Total } from './finds.ts'
import { lossOf } from './loss.ts'
import type { Memo } from './memo.ts'
import type { Post } from './post.ts'
import { refreshDesired } from './refresh.ts'
import type { Shares } from './shares.ts'
import { unitOf, type Unit } from './unit.ts'

/** Declarations that live in one branch. */
export type Share = {
  readonly branch: Branch
  readonly apps: readonly Declared[]
  readonly discoveries: Board['declarations']['discoveries']
}

export async function absorb(
  board: Board,
  finds: Finds,
  share: Share,
  founds: Founds,
  trigger: Trigger,
): Promise<void> {
  const { branch, discoveries } = share
  const tree = branch.snapshot?.tree
  if (tree === undefined) return
  const breathe = breather()
  for (const [discovery, found] of founds) finds.put(discovery, branch, found)
  const total = finds.total(board.declarations)
  for (const { message, at } of total.newProblems) {
    const place = at && { file: `${at.file}:${at.line}:${at.column}` }
    board.parts.log('error', message, place)
  }
  await absorbDeclared(board, share, tree, trigger)
  // a name that was freed or taken here changes what others found too
  for (const { declared, discovery, branch: home } of total.found) {
    const isHere = home === branch || total.freed.has(keyOf(declared.application))
    if (!isHere) continue
    const { name, removesGone: removes } = discovery
    const unit = await declare(board, declared, { branch: home, from: name, removes })
    await present(board, unit, trigger)
    await breathe()
  }
  for (const one of total.refused) await refuse(board, one.refused, one.branch, one.discovery)
  for (const discovery of discoveries) await miss(board, discovery, branch, total, trigger)
}

/** What is declared in files is known before its source is read, which may not be there for long. */
export async function introduce(board: Board, shares: Pick<Shares, 'branchFor'>): Promise<void> {
  for (const declared of board.declarations.apps) {
    const branch = shares.branchFor(declared.source)
    const isKnown = board.units.has(keyOf(declared.application)) || declared.from !== undefined
    if (isKnown || branch === undefined) continue
    await declare(board, declared, { branch, from: '', removes: declared.policy.prune })
  }
}

/**
 * Those that are declared one by one. One that never was where it is said to be did not go from there: its path is wrong. Nor did
 * one whose folder is still there (a file of it was lost or has another name), nor one of a source that is empty.
 */
async function absorbDeclared(
  board: Board,
  { branch, apps }: Share,
  tree: Tree,
  trigger: Trigger,
): Promise<void> {
  const breathe = breather()
  const lost: Unit[] = []
  let before = 0
  for (const declared of apps) {
    const from = { branch, from: declared.from ?? '', removes: declared.policy.prune }
    const unit = await declare(board, declared, from)
    const place = `${branch.status.shown} ${branch.ref} ${declared.path}`
    const wasThere = unit.memo.place === place
    if (wasThere && !unit.memo.isRemoved) before += 1
    const link = linkBefore(declared, tree, kindFor(board, unit).files)
    if (link !== undefined) hide(unit, hiddenBy([badLink(link)]))
    else if (kindFor(board, unit).isThere(declared, tree)) {
      // written with the next note of it: without it nothing is taken for gone
      if (!wasThere) unit.memo = { ...unit.memo, place }
      await present(board, unit, trigger)
    } else if (wasThere && (unit.memo.isRemoved || isGoneFrom(tree, declared.path))) {
      lost.push(unit)
    } else mislaid(board, unit, notThere(declared, branch))
    await breathe()
  }
  const going = lost.filter(({ memo }) => !memo.isRemoved)
  const guarded = lossOf({ before, lost: going.length, isWhole: true })
  if (guarded !== undefined) {
    board.parts.log('warning', `nothing is removed: ${guarded}`, { source: branch.status.shown })
  }
  for (const unit of lost) gone(board, unit, guarded, trigger)
}

/** A source without any files is one that is not mounted, or was emptied by mistake. */
function isGoneFrom(tree: Tree, path: string): boolean {
  return tree.list(path).length === 0 && tree.list('').length > 0
}

function mislaid(board: Board, unit: Unit, fault: ProblemFacts): void {
  if (unit.fault?.message !== fault.message) {
    board.parts.log('error', fault.message, { app: unit.key, at: fault.at && placeText(fault.at) })
  }
  hide(unit, fault)
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

/** A lost database does not know them; their marks tell that they came from here. */
async function recall(board: Board, discovery: Discovery): Promise<void> {
  for (const { name } of board.parts.kinds.filter(({ marksDiscovery }) => marksDiscovery)) {
    await recallFrom(board, discovery, board.postFor(name, discovery.target))
  }
}

async function recallFrom(
  board: Board,
  discovery: Discovery,
  post: Post | undefined,
): Promise<void> {
  const { name, removesGone: removes, target } = discovery
  const { instance } = board.parts
  const mark = foundByText(discovery)
  for (const [owner, { foundBy, since = 0 }] of post?.sight()?.apps ?? []) {
    const application = applicationOf(owner.slice(instance.length + 1))
    if (foundBy !== mark || application === undefined || board.units.has(keyOf(application)))
      continue
    const unit = unitOf(application, instance, { since, from: name, removes, isRemoved: false })
    unit.post = post
    board.units.set(unit.key, unit)
    await remember(board, unit, { target })
  }
}

/** What was found before and is not any more. */
async function miss(
  board: Board,
  discovery: Discovery,
  branch: Branch,
  total: Total,
  trigger: Trigger,
): Promise<void> {
  const { name, removesGone } = discovery
  await recall(board, discovery)
  const before = [...board.units.values()].filter(
    ({ memo }) => memo.from === name && !memo.isRemoved,
  )
  const lost = before.filter(({ key }) => !total.taken.has(key))
  if (lost.length === 0) return
  const found = total.founds.get(name)
  for (const unit of lost) {
    unit.branch = branch
    unit.post ??= board.postFor(unit.application.kind, discovery.target)
    await remember(board, unit, { removes: removesGone })
  }
  if (found?.isWhole !== true) {
    const fault = hiddenBy(found?.problems ?? [])
    board.parts.log('warning', `nothing is removed: ${fault.message}`, { discovery: name })
    for (const unit of lost) hide(unit, fault)
    return
  }
  const counts = { before: before.filter(hasRun).length, lost: lost.filter(hasRun).length }
  const guarded = lossOf({ ...counts, isWhole: true })
  if (guarded !== undefined) {
    board.parts.log('warning', `nothing is removed: ${guarded}`, { discovery: name })
  }
  for (const unit of lost) {
    if (isBlank(unit)) await forget(board, unit.key)
    else gone(board, unit, guarded, trigger)
  }
}

/** It may still be there: what runs is left alone. */
function hide(unit: Unit, fault: ProblemFacts): void {
  unit.isGone = false
  unit.fault = fault
  unit.isTouched = true
}

/** It is there, but what it is to be can't be told: what runs is left alone. */
async function refuse(
  board: Board,
  { application, problems }: Refused,
  branch: Branch,
  { name, removesGone: removes, target }: Discovery,
): Promise<void> {
  const key = keyOf(application)
  const known = board.units.get(key)
  const unit =
    known ?? unitOf(application, board.parts.instance, await firstMemo(board, application))
  board.units.set(key, unit)
  unit.branch = branch
  unit.post = board.postFor(application.kind, target)
  unit.isGone = false
  unit.fault = problems[0]
  if (known === undefined || unit.memo.from !== name) {
    await remember(board, unit, { from: name, removes, target, isRemoved: false })
  }
  unit.isTouched = true
}

type Origin = { readonly branch: Branch; readonly from: string; readonly removes: boolean }

async function declare(
  board: Board,
  declared: Declared,
  { branch, from, removes }: Origin,
): Promise<Unit> {
  const { application, target } = declared
  const { instance } = board.parts
  const key = keyOf(application)
  const post = board.postFor(application.kind, target)
  const known = board.units.get(key)
  const unit = known ?? unitOf(application, instance, await firstMemo(board, application))
  board.units.set(key, unit)
  unit.declared = declared
  unit.branch = branch
  unit.post = post
  unit.seen ??= post?.sight()?.apps.get(unit.owner)
  const since = known === undefined ? (unit.seen?.since ?? unit.memo.since) : unit.memo.since
  const { memo } = unit
  if (memo.synced !== undefined && memo.target !== target) {
    const text = 'it is to run elsewhere: what ran before is left where it is'
    board.parts.log('warning', text, { app: key, before: memo.target ?? '', now: target ?? '' })
  }
  if (
    known === undefined ||
    memo.from !== from ||
    memo.removes !== removes ||
    memo.since !== since ||
    memo.target !== target
  ) {
    await remember(board, unit, { from, removes, since, target })
  }
  return unit
}

/** What the history knows of its first install counts; else the labels tell it later. */
async function firstMemo(board: Board, application: Application): Promise<Memo> {
  const { store, clock } = board.parts
  const record = await store.application(application).catch(() => undefined)
  const isKnown = record !== undefined && !record.isUninstalled
  const since = isKnown ? record.since : clock.now()
  return { since, from: '', removes: false, isRemoved: false }
}

async function present(board: Board, unit: Unit, trigger: Trigger): Promise<void> {
  unit.isGone = false
  unit.guarded = undefined
  if (unit.memo.isRemoved) {
    await remember(board, unit, { isRemoved: false, synced: undefined, failure: undefined })
  }
  // nobody else waits until it is rendered
  await refreshDesired(board, unit, trigger).begun
}

function gone(board: Board, unit: Unit, guarded: string | undefined, trigger: Trigger): void {
  if (!unit.isGone && !unit.memo.isRemoved) {
    board.parts.log('info', 'no longer in its source', { app: unit.key })
    unit.cause = trigger
  }
  unit.isGone = true
  unit.guarded = guarded
  unit.fault = undefined
  unit.isTouched = true
}
