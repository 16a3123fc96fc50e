/** Kustomizations on Kubernetes: what a Flux object, or a declaration with the same fields, wants of a cluster. */
import { aboutObject } from '#domains/kustomizations/about-object.ts'
import { buildObjects } from '#domains/kustomizations/build.ts'
import { holdsOthers, kindOfRef } from '#domains/kustomizations/object.ts'
import { renderKustomization } from '#domains/kustomizations/render.ts'
import { readSpec, type KustomizationSpec } from '#domains/kustomizations/spec.ts'
import { KustomizeError, type Need } from '#formats/kustomize/error.ts'
import { snapshotHash } from '#engine/recorder.ts'
import { keyOf } from '#model/application.ts'
import type { Declared } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { Snapshot } from '#model/source.ts'
import type { Craft, How, Made } from '../craft.ts'
import { witnessed } from '../inputs.ts'
import { program } from '../program.ts'
import { filesOf } from './kustomization-files.ts'
import { withBuilt } from './kustomize-outside.ts'
import { kubeSite, type KubeSurroundings } from './kustomization-site.ts'

export function kustomizationCraft(around: KubeSurroundings): Craft {
  return {
    kind: 'kustomization',
    // a folder that is not there is a fault of the spec, and nothing is removed on its account
    isThere: () => true,
    render: (declared, snapshot, how) => render(around, declared, snapshot, how),
    prepare: (declared, snapshot, signal) => prepare(around, declared, snapshot, signal),
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

async function render(
  around: KubeSurroundings,
  declared: Declared,
  snapshot: Snapshot,
  how: How,
): Promise<Made> {
  const { application, source } = declared
  const spec = specOf(declared)
  const gathered = around.gathered(keyOf(application))
  if (gathered.problem !== undefined) throw new Problem(gathered.problem)
  around.trees.set(keyOf(application), snapshot.tree)
  const witness = witnessed(snapshot.tree)
  const { namespace, name } = application
  const files = filesOf(witness, source.kind === 'git' ? source : {})
  const built = around.outside?.find(keyOf(application), snapshot.revision)
  // what it depends on only that program knows
  if (built !== undefined) for (const file of witness.tree.list('')) witness.tree.read(file)
  const rendered = await renderKustomization({
    files: built === undefined ? files : withBuilt(files, spec.path, built),
    spec,
    surroundings: gathered.surroundings,
    owner: { namespace: namespace ?? 'default', name },
    revision: snapshot.revision,
    seed: how.seed,
  })
  // what can't be built still has what it had
  if (!rendered.problems.some(({ type }) => type === 'configuration')) {
    around.claims.put(keyOf(application), new Set(rendered.resources.map(({ ref }) => ref)))
  }
  return {
    rendered,
    hash: snapshotHash(rendered),
    file: 'kustomization.yaml',
    inputs: witness.inputs(aboutOf(around, declared, how)),
    layFiles: async () => undefined,
  }
}

/** Sources that are encrypted would be left so: such a set is not built outside. */
async function prepare(
  { outside, gathered }: KubeSurroundings,
  declared: Declared,
  { tree, revision }: Snapshot,
  signal: AbortSignal,
): Promise<boolean> {
  const spec = specOf(declared)
  if (outside === undefined || spec.decryption !== undefined) return false
  const { application, source } = declared
  const key = keyOf(application)
  const files = filesOf(witnessed(tree), source.kind === 'git' ? source : {})
  const { surroundings } = gathered(key)
  const needs = await needsOf(() => buildObjects({ files, spec, surroundings }))
  if (needs === undefined) return false
  await outside.build({ key, revision, files, path: spec.path, needs }, signal)
  return true
}

async function needsOf(build: () => Promise<unknown>): Promise<Need | undefined> {
  try {
    await build()
    return undefined
  } catch (error) {
    return error instanceof KustomizeError ? error.needs : undefined
  }
}

/** Throws what is wrong with it. */
export function specOf({ values }: Declared): KustomizationSpec {
  const { spec, problems } = readSpec(values)
  const [first] = problems
  if (first !== undefined) throw new Problem(first)
  return spec
}

function aboutOf(around: KubeSurroundings, declared: Declared, { since }: How): string {
  const { application, values, source } = declared
  const key = keyOf(application)
  const { suspend: _, interval: _interval, ...wanted } = values
  const { ignore = '', only = [] } = source.kind === 'git' ? source : {}
  const { mark } = around.gathered(key)
  return hashOf([program, key, wanted, ignore, ...only, mark, since]).slice(0, 20)
}
