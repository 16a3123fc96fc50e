/** Kustomizations on Kubernetes: what a Flux object, or a declaration with the same fields, wants of a cluster. */
import { aboutObject } from '#domains/kustomizations/about-object.ts'
import { holdsOthers, kindOfRef } from '#domains/kustomizations/object.ts'
import type { Need } from '#formats/kustomize/error.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { Craft, How } from '../craft.ts'
import { buildId } from '#kinds/build-id.ts'
import { copyTimeout } from '../render/render-limits.ts'
import type { Renders } from '../render/render-pool.ts'
import type { RenderAnswer, RenderRequest } from '../render/render-request.ts'
import { filesOfSnapshot } from '#sources/snapshot-files.ts'
import { specIn } from '../render/spec-in.ts'
import type { FilesMeant } from './kustomization-files.ts'
import { kubeSite, type KubeSurroundings } from './kustomization-site.ts'

export function kustomizationCraft(around: KubeSurroundings): Craft {
  return {
    kind: 'kustomization',
    mainFile: 'kustomization.yaml',
    // a folder that is not there is a fault of the spec, and nothing is removed on its account
    isThere: () => true,
    request: (declared, snapshot, how) => request(around, declared, snapshot, how),
    answered: (declared, answer) => answered(around, declared, answer),
    prepare: (...asked) => prepare(around, ...asked),
    aboutOf: (declared, how) => aboutOf(around, declared, how),
    hashOf: snapshotHash,
    keepsUnproven: (ref) =>
      holdsOthers(kindOfRef(ref))
        ? 'it came with a run that failed, and may hold what others put there: delete it by hand if it may go'
        : undefined,
    tell: (problem, { resources }) => aboutObject(problem, resources),
    find: () => ({
      address: around.address,
      connect: (instance, called) => kubeSite(around, instance, called),
    }),
  }
}

function request(
  around: KubeSurroundings,
  declared: Declared,
  snapshot: Snapshot,
  { seed }: How,
): RenderRequest {
  const { application, values } = declared
  const key = keyOf(application)
  specIn(values)
  const { problem, surroundings } = around.gathered(key)
  if (problem !== undefined) throw new Problem(problem)
  around.snapshots.set(key, snapshot)
  const files = filesOfSnapshot(snapshot)
  const built = around.outside?.find(key, snapshot.revision)
  const asked = { files, application, values, meant: meantBy(declared), surroundings, built, seed }
  return { name: 'kustomization', request: asked }
}

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
  needs: Need,
  renders: Renders,
  signal: AbortSignal,
): Promise<boolean> {
  const spec = specIn(declared.values)
  if (outside === undefined || spec.decryption !== undefined) return false
  const key = keyOf(declared.application)
  const files = filesOfSnapshot(snapshot)
  const copy = async (target: string): Promise<void> => {
    const asked = { files, meant: meantBy(declared), target }
    await renders.run('copy', asked, { timeout: copyTimeout })
  }
  await outside.build({ key, revision: snapshot.revision, copy, path: spec.path, needs }, signal)
  return true
}

function aboutOf(around: KubeSurroundings, declared: Declared, { since }: How): string {
  const { application, values, source } = declared
  const key = keyOf(application)
  const { suspend: _, interval: _interval, ...wanted } = values
  const { ignore = '', only = [] } = source.kind === 'git' ? source : {}
  const { mark } = around.gathered(key)
  return hashOf([buildId, key, wanted, ignore, ...only, mark, since]).slice(0, 20)
}
