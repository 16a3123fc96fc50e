/** What the source of an application wants: rendered by another process, and only when something that it is made from changed. */
import type { Declared } from '#model/declaration.ts'
import type { Rendered } from '#model/domain.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import { vaultOf } from '#model/vault.ts'
import { isOnPinnedImages, lastGood, renderedFrom } from '#store/past.ts'
import { seedOf } from '#store/key.ts'
import type { Board } from './board.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Orphan } from '#model/connection.ts'
import type { RenderAnswer, RenderContext } from '#model/render.ts'
import type { Made } from './made.ts'
import { learn } from '#sources/inputs.ts'
import { isBeyondLimit } from './render/limit-problems.ts'
import { copyTimeout } from './render/render-limits.ts'
import type { Renders } from './render/render-pool.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { unchanged } from '#model/unchanged.ts'
import type { Unit } from './unit.ts'

export function kindFor(board: Board, unit: Unit): LoadedKind {
  const { kind } = unit.application
  const loaded = board.parts.kinds.find((one) => one.name === kind)
  if (loaded !== undefined) return loaded
  throw new Problem({
    type: 'configuration',
    code: 'unsupported',
    message: `applications of kind ${kind} are not run by the service`,
  })
}

export function seedFor(board: Board, { key, memo }: Unit): Uint8Array {
  return seedOf(board.parts.key, key, memo.since)
}

export function howFor(board: Board, unit: Unit): RenderContext {
  const { bindFiles } = board.parts
  const sharesFiles =
    board.declarations.hostFiles !== undefined || seesFolder(unit, bindFiles.folder)
  return {
    since: unit.memo.since,
    get seed() {
      return seedFor(board, unit)
    },
    bindFiles,
    sharesFiles,
  }
}

/** Where nobody knows it is as if. */
function seesFolder({ post }: Unit, folder: string): boolean {
  try {
    return post?.connection().sees?.(folder) ?? true
  } catch {
    // the look at the place tells why it can't be reached
    return true
  }
}

/** What a render is made from, as of now: what comes back later belongs to this and to nothing newer. */
type Wish = {
  readonly declared: Declared
  readonly snapshot: Snapshot
  readonly how: RenderContext
  readonly about: string
}

/** Throws a problem. */
export function wishOf(board: Board, unit: Unit): Wish {
  const { declared, branch } = unit
  if (declared === undefined || branch?.snapshot === undefined) throw unread(unit)
  const how = howFor(board, unit)
  const about = kindFor(board, unit).inputHash(declared, how)
  return { declared, snapshot: branch.snapshot, how: { ...how, seed: how.seed }, about }
}

/** Throws a problem. */
export async function makeDesired(board: Board, unit: Unit): Promise<Made> {
  const wish = wishOf(board, unit)
  const before = madeBefore(unit, wish)
  if (before !== undefined) {
    board.recent.keep(before, before.rendered.resources.length)
    return before
  }
  const { making } = unit
  if (making?.tree === wish.snapshot.tree && making.about === wish.about) return making.made
  const made = render(board, unit, wish)
  unit.making = { tree: wish.snapshot.tree, about: wish.about, made }
  try {
    return await made
  } finally {
    if (unit.making?.made === made) unit.making = undefined
  }
}

/** Whether the last render is at hand and still what its source says. */
export function isAtHand(board: Board, unit: Unit): boolean {
  if (unit.declared === undefined || unit.branch?.snapshot === undefined) return false
  return madeBefore(unit, wishOf(board, unit)) !== undefined
}

function madeBefore({ made }: Unit, { snapshot, about }: Wish): Made | undefined {
  return made?.tree === snapshot.tree && made.about === about ? made.made.deref() : undefined
}

async function render(board: Board, unit: Unit, wish: Wish): Promise<Made> {
  const answer = await renderAnswer(board, unit, wish)
  if (answer === unchanged) throw new TypeError('nobody asked whether it is unchanged')
  return keepMade(board, unit, wish, answer)
}

/** `known`: what an earlier render read; if that is the same still, nothing is rendered. */
export async function renderAnswer(
  board: Board,
  unit: Unit,
  { declared, snapshot, how }: Wish,
  known?: string,
  startedBy?: Orphan,
): Promise<RenderAnswer | typeof unchanged> {
  const kind = kindFor(board, unit)
  const request = kind.request(declared, snapshot, how, startedBy)
  const asked = known === undefined ? request : { ...request, known }
  const answer = await counted(board, kind.name, rendersFor(board, unit).run('render', asked))
  if (answer !== unchanged) {
    learn(snapshot.tree, answer.read)
    kind.answered?.(declared, answer)
  }
  return answer
}

async function counted<Answer>(
  { metrics }: Board,
  kind: string,
  asked: Promise<Answer>,
): Promise<Answer> {
  try {
    const answer = await asked
    metrics.count('tend_renders_total', { kind, outcome: 'done' })
    return answer
  } catch (thrown) {
    const outcome = isBeyondLimit(problemOf(thrown)) ? 'ended' : 'failed'
    metrics.count('tend_renders_total', { kind, outcome })
    throw thrown
  }
}

export function keepMade(board: Board, unit: Unit, wish: Wish, answer: RenderAnswer): Made {
  const made = madeOf(board, unit, wish, answer)
  board.recent.keep(made, made.rendered.resources.length)
  unit.made = { tree: wish.snapshot.tree, about: wish.about, made: new WeakRef(made) }
  return made
}

function madeOf(board: Board, unit: Unit, wish: Wish, answer: RenderAnswer): Made {
  const { snapshot, how, about } = wish
  const { hash, file, needs, placed, read } = answer
  const { folder, seenAs } = how.bindFiles
  return {
    rendered: renderedOf(board, unit, wish, answer),
    snapshot,
    hash,
    file,
    needs,
    inputs: { about, read },
    async layFiles() {
      if (placed.length === 0) return
      const files = filesOfSnapshot(snapshot)
      const asked = { files, bindFiles: { folder, seenAs }, wanted: placed }
      await rendersFor(board, unit).run('placing', asked, { timeout: copyTimeout })
    },
  }
}

/** The vault and whatever else is no plain data are made again here. */
export function renderedOf(
  board: Board,
  unit: Unit,
  { how }: Wish,
  answer: RenderAnswer,
): Rendered {
  const { resources, problems, warnings, isIncomplete, version, secrets, inactive } = answer
  const leaves = kindFor(board, unit).leaves?.(inactive)
  const vault = vaultOf(secrets, how.seed)
  const plain = { resources, problems, warnings, isIncomplete, version, vault }
  return leaves === undefined ? plain : { ...plain, leaves }
}

function rendersFor(board: Board, { branch }: Unit): Renders {
  return board.parts.renders.for(branch?.status.shown ?? '')
}

/** Rendered once more where what the first one lacked could be got, and where newer files came meanwhile. Throws a problem. */
export async function makeWhole(board: Board, unit: Unit): Promise<Made> {
  const made = await makeNewest(board, unit)
  const { declared } = unit
  if (made.needs === undefined || declared === undefined) return made
  const kind = kindFor(board, unit)
  const renders = rendersFor(board, unit)
  const isThere = await kind.prepare?.(declared, made.snapshot, made.needs, renders, board.stop)
  if (isThere !== true) return made
  unit.made = undefined
  return makeDesired(board, unit)
}

/** The files of a snapshot are kept until two newer ones came. */
async function makeNewest(board: Board, unit: Unit): Promise<Made> {
  const made = await makeDesired(board, unit)
  return made.snapshot === unit.branch?.snapshot ? made : makeDesired(board, unit)
}

/** What was last applied with success, from its source where that still says it, else as it was kept. */
export async function renderInForce(board: Board, unit: Unit): Promise<Rendered | undefined> {
  const { memo, application, fault } = unit
  const isDesired = memo.synced !== undefined && memo.synced.hash === memo.desired?.hash
  const { store } = board.parts
  const isPinned = await isOnPinnedImages(application, store)
  if (isDesired && !isPinned && !fault && unit.refresh === undefined) {
    const made = await makeDesired(board, unit)
    if (made.hash === memo.synced.hash) return made.rendered
  }
  const past = await lastGood(application, store)
  return past?.run.outcome === 'succeeded'
    ? renderedFrom(past.snapshot, seedFor(board, unit))
    : undefined
}

function unread({ key }: Unit): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `the source of ${key} is not read yet`,
    suggestion: 'try again when its repository can be reached',
    recoverable: true,
  })
}
