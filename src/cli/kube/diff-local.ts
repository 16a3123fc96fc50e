/**
 * What files of this machine would change in a cluster if they were pushed. They are rendered as a Kustomization declares, and
 * tried by a dry run on the server.
 */
import { existsSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import type { Clusters } from '#clients/kubernetes/clusters.ts'
import { accountUser } from '#clients/kubernetes/clusters.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { filesOf } from '#kinds/kustomizations/files.ts'
import { resolveReferences, referencesOf } from '#controller/flux/resolve-references.ts'
import { fluxObjectOf, kustomizations, type FluxObject } from '#controller/flux/kinds.ts'
import { referencesIn } from '#controller/flux/references.ts'
import { witnessed } from '#sources/inputs.ts'
import { kustomizationsKind, kustomizationTarget } from '#domains/kustomizations/domain.ts'
import { namesIn } from '#domains/kustomizations/inventory.ts'
import { refOfObject } from '#domains/kustomizations/object.ts'
import { renderKustomization } from '#domains/kustomizations/render/render.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import { preview } from '#engine/preview.ts'
import type { Clock } from '#model/clock.ts'
import type { Plan } from '#model/plan.ts'
import { Problem, type ProblemFacts } from '#model/problem.ts'
import { directoryTree } from '#sources/directory.ts'
import { defined } from '#model/defined.ts'

type LocalDiff = { readonly plan: Plan; readonly problems: readonly ProblemFacts[] }

export async function diffLocal(
  clusters: Clusters,
  asked: { readonly namespace: string; readonly name: string; readonly path: string },
  clock: Clock,
  signal: AbortSignal,
): Promise<LocalDiff> {
  const { namespace, name } = asked
  const one = await objectOf(clusters, namespace, name, signal)
  const { root, path } = rootOf(asked.path)
  const { spec, problems } = readSpec({ ...one.spec, path })
  if (problems[0] !== undefined) throw new Problem(problems[0])
  const references = referencesIn(clusters.local().kubernetes, clock, () => undefined)
  await references.want(referencesOf(spec, namespace))
  const gathered = resolveReferences(spec, namespace, references)
  references.close()
  if (gathered.problem !== undefined) throw new Problem(gathered.problem)
  const owner = { namespace, name }
  const { serviceAccountName: account } = spec
  const user = account === '' ? undefined : accountUser(namespace, account)
  const { kubeConfig } = gathered
  const line =
    kubeConfig === undefined
      ? clusters.local(user)
      : clusters.remote({ name: `of ${one.key}`, text: kubeConfig }, user)
  const files = filesOf(witnessed(directoryTree(root)))
  const rendered = await renderKustomization({
    files,
    spec,
    surroundings: gathered.surroundings,
    owner,
    revision: 'local',
    seed: new Uint8Array(32),
  })
  if (rendered.problems.length > 0) throw new Problem(defined(rendered.problems[0]))
  const application = { kind: 'kustomization', namespace, name } as const
  const { kubernetes, discovery } = line
  const inventory = namesIn(one.status['inventory'] ?? null)
  const textOf = (file: string) => Buffer.from(files.read(file) ?? []).toString()
  const ownedObjects = async () => new Set(inventory.map(refOfObject))
  const parts = {
    kubernetes,
    discovery,
    clock,
    owner,
    options: spec,
    inventory,
    ownedObjects,
    textOf,
  }
  const wanted = { application, instance: 'tend', rendered, revision: 'local', since: 0 }
  const place = { kind: kustomizationsKind(spec), target: kustomizationTarget(parts) }
  const { plan } = await preview(wanted, place, signal)
  return { plan, problems: plan.skipped.map(({ problem }) => problem) }
}

async function objectOf(
  clusters: Clusters,
  namespace: string,
  name: string,
  signal: AbortSignal,
): Promise<FluxObject> {
  const place = { kind: kustomizations, namespace, name }
  const object = await getObject(clusters.local().kubernetes, place, signal)
  if (object !== undefined) return fluxObjectOf(object)
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no Kustomization ${namespace}/${name}`,
    suggestion: 'tend get kustomizations -A lists them; -n names another namespace',
  })
}

/** The root of the repository: overlays lead out of their folder, but not out of their repository. */
function rootOf(folder: string): { readonly root: string; readonly path: string } {
  const whole = resolve(folder)
  for (let root = whole; root !== dirname(root); root = dirname(root)) {
    if (existsSync(join(root, '.git'))) return { root, path: relative(root, whole) }
  }
  return { root: whole, path: '' }
}
