/** Runs of the past that can be applied again: without files, without templates. */
import type { Application } from '#model/application.ts'
import type { Rendered } from '#model/domain.ts'
import { haveOtherImages } from '#model/image.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { AppRun, RunRecord, Store, StoredSnapshot } from '#model/store.ts'
import { vaultOf } from '#model/vault.ts'

export type Past = { readonly run: RunRecord; readonly snapshot: StoredSnapshot }

/** The run that is in force: the last one that succeeded or, where none did, the last one that was tried. */
export async function lastGood(application: Application, store: Store): Promise<Past | undefined> {
  const all = await livingRuns(application, store)
  const runs = all.filter(({ hasSnapshot, outcome }) => hasSnapshot && outcome !== 'refused')
  const run = runs.find(({ outcome }) => outcome === 'succeeded') ?? runs[0]
  return run && pastOf(application, run, store)
}

/** The runs since the last uninstall (whose version is empty), newest first. */
export async function livingRuns(
  application: Application,
  store: Store,
): Promise<readonly RunRecord[]> {
  const runs = await store.runs(application)
  const end = runs.findIndex(({ outcome, version }) => outcome === 'succeeded' && version === '')
  return end < 0 ? runs : runs.slice(0, end)
}

export async function pastOf(
  application: Application,
  run: RunRecord,
  store: Store,
): Promise<Past | undefined> {
  const snapshot = await store.snapshot(application, run.number)
  return snapshot && { run, snapshot }
}

/** Uses the seed of the application, as the first render did, so that equal declarations have equal hashes. */
export function renderedFrom(snapshot: StoredSnapshot, seed: Uint8Array): Rendered {
  return {
    resources: snapshot.resources,
    problems: snapshot.resources.flatMap(({ problems }) => problems),
    warnings: [],
    isIncomplete: false,
    version: snapshot.version,
    vault: vaultOf(snapshot.secrets, seed),
  }
}

/** Services that were declared and inactive in that run, which the front end recorded with it. */
export function inactiveIn({ source }: StoredSnapshot): readonly string[] {
  const inactive = isRecord<Json>(source) ? source['inactive'] : undefined
  return isList<Json>(inactive) ? inactive.filter((name) => typeof name === 'string') : []
}

/** Renders the same declaration once more: tags mean what they mean now, whatever images the run used. */
export function renderedAnew(snapshot: StoredSnapshot, seed: Uint8Array): Rendered {
  const rendered = renderedFrom(snapshot, seed)
  const resources = rendered.resources.map(({ pinned: _pinned, ...resource }) => resource)
  return { ...rendered, resources }
}

/** Renders a run for a rollback: with the very images that it used, whatever their tags mean today. */
export function renderedAsItRan({ run, snapshot }: Past, seed: Uint8Array): Rendered {
  const rendered = renderedFrom(snapshot, seed)
  const resources = rendered.resources.map((resource) => {
    const pinned = run.images?.[resource.ref]
    return pinned === undefined ? resource : { ...resource, pinned }
  })
  return { ...rendered, resources }
}

/** Whether the run in force uses images of an earlier run, which its tags may not mean any more: its source would bring others. */
export async function isOnPinnedImages(application: Application, store: Store): Promise<boolean> {
  if ((await store.application(application)) === undefined) return false
  const past = await lastGood(application, store)
  return past?.snapshot.resources.some(({ pinned }) => pinned !== undefined) === true
}

/**
 * Of runs, newest first: the last one that went well and declared something else than what is in force, or ran other images. What failed and was not
 * put back is in force, as far as it came.
 */
export function runBefore(runs: readonly RunRecord[]): RunRecord | undefined {
  const good = runs.filter(({ outcome }) => outcome === 'succeeded')
  const tried = runs.find(({ outcome }) => outcome !== 'refused')
  const current = tried?.outcome === 'failed' && !tried.isRolledBack ? tried : good[0]
  return good.find(
    ({ hash, hasSnapshot, images }) =>
      hasSnapshot && (hash !== current?.hash || haveOtherImages(images, current?.images)),
  )
}

/** The latest runs of some applications among all that the store knows. */
export async function recentOf(
  store: Store,
  most: number,
  isMeant: (key: string) => boolean,
): Promise<readonly AppRun[]> {
  for (let asked = most; ; asked *= 4) {
    const all = await store.recent(asked)
    const meant = all.filter(({ key }) => isMeant(key))
    if (meant.length >= most || all.length < asked) return meant.slice(0, most)
  }
}
