/** Kustomizations on Kubernetes: what a Flux object, or a declaration with the same fields, wants of a cluster. */
import { aboutObject } from '#domains/kustomizations/object-problem.ts'
import { holdsOthers, kindOfRef } from '#domains/kustomizations/object.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { RenderAnswer, RenderContext, TaskRunner } from '#model/render.ts'
import { buildId } from '#kinds/build-id.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { specIn } from './spec-in.ts'
import { meantBy } from './meant-by.ts'
import { connectCluster, type KubeSurroundings } from './cluster.ts'
import type { KustomizationRequest } from './request.ts'

export function loadedKustomizations(around: KubeSurroundings): LoadedKind {
  return {
    name: 'kustomization',
    engines: ['kube'],
    files: ['kustomization.yaml'],
    // a folder that is not there is a fault of the spec, and nothing is removed on its account
    isThere: () => true,
    request: (declared, snapshot, how) => request(around, declared, snapshot, how),
    answered: (declared, answer) => answered(around, declared, answer),
    prepare: (...asked) => prepare(around, ...asked),
    inputHash: (declared, context) => inputHash(around, declared, context),
    hashOf: snapshotHash,
    keepsUnproven: (ref) =>
      holdsOthers(kindOfRef(ref))
        ? 'it came with a run that failed, and may hold what others put there: delete it by hand if it may go'
        : undefined,
    explain: (problem, { resources }) => aboutObject(problem, resources),
    find: () => ({ address: around.address }),
    connect: (_place, instance, service) => connectCluster(around, instance, service),
  }
}

function request(
  around: KubeSurroundings,
  declared: Declared,
  snapshot: Snapshot,
  { seed }: RenderContext,
): KustomizationRequest {
  const { application, values } = declared
  const key = keyOf(application)
  specIn(values)
  const { problem, surroundings } = around.gathered(key)
  if (problem !== undefined) throw new Problem(problem)
  around.snapshots.set(key, snapshot)
  const files = filesOfSnapshot(snapshot)
  const built = around.outside?.find(key, snapshot.revision)
  const remotes = [...around.remotes.of(key)].map(([name, one]) => [name, one.files] as const)
  const meant = meantBy(declared.source)
  return { files, application, values, meant, surroundings, remotes, built, seed }
}

/** How long copying the files of a kustomization may take, ms: as long as fetching a commit. */
const copyTimeout = 5 * 60_000

/** A kustomization that can't be built keeps the claims of its last render. */
function answered(
  { claims, remotes }: KubeSurroundings,
  declared: Declared,
  answer: RenderAnswer,
): void {
  if (answer.problems.some(({ type }) => type === 'configuration')) return
  remotes.built(keyOf(declared.application))
  claims.put(keyOf(declared.application), new Set(answer.resources.map(({ ref }) => ref)))
}

/** Fetches bases on other machines, and has `kustomize` build what Tend can't. A set with encrypted files is not built that way, since `kustomize` would not decrypt them. */
async function prepare(
  { outside, remotes }: KubeSurroundings,
  declared: Declared,
  snapshot: Snapshot,
  needs: string,
  tasks: TaskRunner,
  signal: AbortSignal,
): Promise<boolean> {
  const spec = specIn(declared.values)
  const key = keyOf(declared.application)
  const [word = '', ...rest] = needs.split(' ')
  const missing: readonly string[] = word === 'remote' ? JSON.parse(rest.join(' ')) : []
  if (missing.length > 0 && (await remotes.gather(key, missing, signal))) return true
  if (outside === undefined || spec.decryption !== undefined) return false
  const files = filesOfSnapshot(snapshot)
  const copy = async (target: string): Promise<void> => {
    const task = {
      kind: 'kustomization',
      name: 'copy',
      files,
      meant: meantBy(declared.source),
      target,
    }
    await tasks.perform(task, copyTimeout)
  }
  await outside.build(
    { key, revision: snapshot.revision, copy, path: spec.path, needs: word },
    signal,
  )
  return true
}

function inputHash(around: KubeSurroundings, declared: Declared, { since }: RenderContext): string {
  const { application, values, source } = declared
  const key = keyOf(application)
  const { suspend: _, interval: _interval, ...wanted } = values
  const { ignore = '', only = [] } = source.kind === 'git' ? source : {}
  const { mark } = around.gathered(key)
  const remote = around.remotes.mark(key)
  const parts = [buildId, key, wanted, ignore, ...only, mark, since]
  return hashOf(remote === '' ? parts : [...parts, remote]).slice(0, 20)
}
