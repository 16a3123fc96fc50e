/** Kustomizations on Kubernetes: what a Flux object, or a declaration with the same fields, wants of a cluster. */
import { aboutObject } from '#domains/kustomizations/about-object.ts'
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
import type { FilesMeant } from './files.ts'
import { connectCluster, type KubeSurroundings } from './cluster.ts'
import type { KustomizationRequest } from './request.ts'

export function loadedKustomizations(around: KubeSurroundings): LoadedKind {
  return {
    name: 'kustomization',
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
  return { files, application, values, meant: meantBy(declared), surroundings, built, seed }
}

/** Copying the files of a set: as long as fetching a commit may take, ms. */
const copyTimeout = 5 * 60_000

function meantBy({ source }: Declared): FilesMeant {
  if (source.kind !== 'git') return {}
  const { ignore, only } = source
  return { ignore, only }
}

/** What can't be built still has what it had. */
function answered({ claims }: KubeSurroundings, declared: Declared, answer: RenderAnswer): void {
  if (answer.problems.some(({ type }) => type === 'configuration')) return
  claims.put(keyOf(declared.application), new Set(answer.resources.map(({ ref }) => ref)))
}

/** Sources that are encrypted would be left so: such a set is not built outside. */
async function prepare(
  { outside }: KubeSurroundings,
  declared: Declared,
  snapshot: Snapshot,
  needs: string,
  tasks: TaskRunner,
  signal: AbortSignal,
): Promise<boolean> {
  const spec = specIn(declared.values)
  if (outside === undefined || spec.decryption !== undefined) return false
  const key = keyOf(declared.application)
  const files = filesOfSnapshot(snapshot)
  const copy = async (target: string): Promise<void> => {
    const task = { kind: 'kustomization', name: 'copy', files, meant: meantBy(declared), target }
    await tasks.perform(task, copyTimeout)
  }
  await outside.build({ key, revision: snapshot.revision, copy, path: spec.path, needs }, signal)
  return true
}

function inputHash(around: KubeSurroundings, declared: Declared, { since }: RenderContext): string {
  const { application, values, source } = declared
  const key = keyOf(application)
  const { suspend: _, interval: _interval, ...wanted } = values
  const { ignore = '', only = [] } = source.kind === 'git' ? source : {}
  const { mark } = around.gathered(key)
  return hashOf([buildId, key, wanted, ignore, ...only, mark, since]).slice(0, 20)
}
