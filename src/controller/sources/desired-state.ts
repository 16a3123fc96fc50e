/** What the source of an application declares. A render process renders it, and only when something changed that the render depends on. */
import type { Declared } from '#model/declaration.ts'
import type { Rendered } from '#model/domain.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import { vaultOf } from '#model/vault.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { inactiveIn, isOnPinnedImages, lastGood, renderedFrom } from '#store/past.ts'
import { seedOf } from '#store/key.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Orphan } from '#model/connection.ts'
import type { RenderAnswer, RenderContext } from '#model/render.ts'
import { recordedRun } from './recorded-run.ts'
import { renderNow } from './render-now.ts'
import type { RenderResult } from './render-result.ts'
import { learn } from '#sources/inputs.ts'
import { isBeyondLimit } from '../render/limit-problems.ts'
import { copyTimeout } from '../render/render-limits.ts'
import type { Renders } from '../render/render-pool.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { unchanged } from '#model/unchanged.ts'
import { beginRender, endRender, setRender, type AppState } from '../state/app-state.ts'

export function kindFor(service: ServiceState, app: AppState): LoadedKind {
  const { kind } = app.application
  const loaded = service.dependencies.kinds.find((one) => one.name === kind)
  if (loaded !== undefined) return loaded
  throw new Problem({
    type: 'configuration',
    code: 'unsupported',
    message: `applications of kind ${kind} are not run by the service`,
  })
}

export function seedFor(service: ServiceState, { key, persisted }: AppState): Uint8Array {
  return seedOf(service.dependencies.key, key, persisted.since)
}

function renderContextFor(service: ServiceState, app: AppState): RenderContext {
  const { bindFiles } = service.dependencies
  const sharesFiles =
    service.declarations.hostFiles !== undefined || seesFolder(app, bindFiles.folder)
  return {
    since: app.persisted.since,
    get seed() {
      return seedFor(service, app)
    },
    bindFiles,
    sharesFiles,
  }
}

/** Whether the engine sees this folder of the machine. Counts as true where that is not known. */
function seesFolder({ monitor }: AppState, folder: string): boolean {
  try {
    return monitor?.connection().sees?.(folder) ?? true
  } catch {
    // the look at the place tells why it can't be reached
    return true
  }
}

/** The inputs of a render, taken at one moment: the result belongs to them, even when a newer snapshot came meanwhile. */
type RenderInput = {
  readonly declared: Declared
  readonly snapshot: Snapshot
  readonly how: RenderContext
  readonly about: string
}

/** Throws a problem. */
export function renderInputOf(service: ServiceState, app: AppState): RenderInput {
  const { declared, branch } = app
  if (declared === undefined || branch?.snapshot === undefined) throw unread(app)
  const how = renderContextFor(service, app)
  const about = kindFor(service, app).inputHash(declared, how)
  return { declared, snapshot: branch.snapshot, how: { ...how, seed: how.seed }, about }
}

/** Throws a problem. */
export async function renderDesired(service: ServiceState, app: AppState): Promise<RenderResult> {
  const input = renderInputOf(service, app)
  const before = renderedBefore(app, input)
  if (before !== undefined) {
    service.renderCache.keep(before, before.rendered.resources.length)
    return before
  }
  const { rendering: making } = app
  if (making?.tree === input.snapshot.tree && making.about === input.about) return making.made
  const made = render(service, app, input)
  beginRender(app, { tree: input.snapshot.tree, about: input.about, made })
  try {
    return await made
  } finally {
    endRender(app, made)
  }
}

/** Whether the last render is in memory and its source still says the same. What a run recorded can always be had. */
export function isAtHand(service: ServiceState, app: AppState): boolean {
  if (app.declared?.record !== undefined || app.declared?.isRenderedByRuns === true) return true
  if (app.declared === undefined || app.branch?.snapshot === undefined) return false
  return renderedBefore(app, renderInputOf(service, app)) !== undefined
}

function renderedBefore(
  { rendered: made }: AppState,
  { snapshot, about }: RenderInput,
): RenderResult | undefined {
  return made?.tree === snapshot.tree && made.about === about ? made.made.deref() : undefined
}

async function render(
  service: ServiceState,
  app: AppState,
  input: RenderInput,
): Promise<RenderResult> {
  const answer = await renderAnswer(service, app, input)
  if (answer === unchanged) throw new TypeError('nobody asked whether it is unchanged')
  return keepRendered(service, app, input, answer)
}

/** `known`: what an earlier render read; if that is the same still, nothing is rendered. */
export async function renderAnswer(
  service: ServiceState,
  app: AppState,
  input: RenderInput,
  known?: string,
  startedBy?: Orphan,
): Promise<RenderAnswer | typeof unchanged> {
  const answer = await askRender(service, app, input, known, startedBy)
  if (answer !== unchanged) kindFor(service, app).answered?.(input.declared, answer)
  return answer
}

/** Nothing is remembered of it but which files it read. */
export async function askRender(
  service: ServiceState,
  app: AppState,
  { declared, snapshot, how }: RenderInput,
  known?: string,
  startedBy?: Orphan,
): Promise<RenderAnswer | typeof unchanged> {
  const kind = kindFor(service, app)
  const request = kind.request(declared, snapshot, how, startedBy)
  const asked = known === undefined ? request : { ...request, known }
  const answer = await counted(service, kind.name, rendersFor(service, app).run('render', asked))
  if (answer !== unchanged) learn(snapshot.tree, answer.read)
  return answer
}

async function counted<Answer>(
  { metrics }: ServiceState,
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

export function keepRendered(
  service: ServiceState,
  app: AppState,
  input: RenderInput,
  answer: RenderAnswer,
): RenderResult {
  const made = renderResultOf(service, app, input, answer)
  service.renderCache.keep(made, made.rendered.resources.length)
  setRender(app, { tree: input.snapshot.tree, about: input.about, made: new WeakRef(made) })
  return made
}

export function renderResultOf(
  service: ServiceState,
  app: AppState,
  input: RenderInput,
  answer: RenderAnswer,
): RenderResult {
  const { snapshot, how, about } = input
  const { hash, file, needs, placed, read } = answer
  const { folder, seenAs } = how.bindFiles
  return {
    rendered: renderedOf(service, app, input, answer),
    snapshot,
    hash,
    file,
    needs,
    inputs: { about, read },
    async layFiles() {
      if (placed.length === 0) return
      const files = filesOfSnapshot(snapshot)
      const asked = { files, bindFiles: { folder, seenAs }, wanted: placed }
      await rendersFor(service, app).run('placing', asked, { timeout: copyTimeout })
    },
  }
}

/** Builds a render from the plain data of the answer: the vault and functions do not cross processes. */
export function renderedOf(
  service: ServiceState,
  app: AppState,
  { how }: RenderInput,
  answer: RenderAnswer,
): Rendered {
  const { resources, problems, warnings, isIncomplete, version, secrets, inactive } = answer
  const leaves = kindFor(service, app).leaves?.(inactive)
  const vault = vaultOf(secrets, how.seed)
  const plain = { resources, problems, warnings, isIncomplete, version, vault }
  return leaves === undefined ? plain : { ...plain, leaves }
}

export function rendersFor(service: ServiceState, { branch }: AppState): Renders {
  return service.dependencies.renders.for(branch?.status.shown ?? '')
}

/** How often a render is prepared again: what was fetched may itself name something that is to be fetched. */
export const mostRounds = 10

/** Renders, and renders again as long as something that it lacked could be fetched or newer files came meanwhile. Throws a problem. */
export async function renderWhole(service: ServiceState, app: AppState): Promise<RenderResult> {
  let made = await renderNewest(service, app)
  const kind = kindFor(service, app)
  const renders = rendersFor(service, app)
  for (let round = 0; round < mostRounds; round += 1) {
    const { declared } = app
    if (made.needs === undefined || declared === undefined) return made
    const isThere = await kind.prepare?.(declared, made.snapshot, made.needs, renders, service.stop)
    if (isThere !== true) return made
    setRender(app, undefined)
    made = await renderDesired(service, app)
  }
  return made
}

/** Renders once more when a newer snapshot came during the render, because the files of a snapshot are dropped after two newer ones. */
async function renderNewest(service: ServiceState, app: AppState): Promise<RenderResult> {
  const made = await renderDesired(service, app)
  return made.snapshot === app.branch?.snapshot ? made : renderDesired(service, app)
}

/** What was last applied with success: rendered from the source where that still declares it, else as the run recorded it. */
export async function renderInForce(
  service: ServiceState,
  app: AppState,
): Promise<Rendered | undefined> {
  const { persisted, application, fault, declared } = app
  const isDesired =
    persisted.synced !== undefined && persisted.synced.hash === persisted.desired?.hash
  const { store } = service.dependencies
  if (declared?.record !== undefined) {
    const recorded = await recordedRun(declared.record, store)
    return recorded && renderedPast(service, app, recorded.snapshot)
  }
  const isPinned = await isOnPinnedImages(application, store)
  if (isDesired && !isPinned && !fault && app.refresh === undefined) {
    const isByRuns = declared?.isRenderedByRuns === true
    const made = await (isByRuns ? renderNow(app) : renderDesired(service, app))
    if (made.hash === persisted.synced.hash) return made.rendered
  }
  const past = await lastGood(application, store)
  return past?.run.outcome === 'succeeded' ? renderedPast(service, app, past.snapshot) : undefined
}

/** A recorded render, together with what it left alone (services whose profiles were not active then). */
export function renderedPast(
  service: ServiceState,
  app: AppState,
  snapshot: StoredSnapshot,
): Rendered {
  const rendered = renderedFrom(snapshot, seedFor(service, app))
  const leaves = kindFor(service, app).leaves?.(inactiveIn(snapshot))
  return leaves === undefined ? rendered : { ...rendered, leaves }
}

function unread({ key }: AppState): Problem {
  return new Problem({
    type: 'runtime',
    code: 'git_error',
    message: `the source of ${key} is not read yet`,
    suggestion: 'try again when its repository can be reached',
    recoverable: true,
  })
}
