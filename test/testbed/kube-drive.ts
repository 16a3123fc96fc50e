/** Drives the whole road on a real cluster with files of a kustomization, for tests of the kustomizations. */
import { kubernetesAt, type Ask, type Kubernetes } from '#clients/kubernetes/client.ts'
import type { ClusterAccess } from '#clients/kubernetes/cluster-access.ts'
import { discoveryOf } from '#clients/kubernetes/discovery.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import type { ClusterCache } from '#domains/kustomizations/observe/cluster-cache.ts'
import { kustomizationsKind, kustomizationTarget } from '#domains/kustomizations/domain.ts'
import { setMemory } from '#domains/kustomizations/memory.ts'
import type { ObjectName } from '#domains/kustomizations/object.ts'
import type { ApplyOptions } from '#domains/kustomizations/apply-options.ts'
import { renderKustomization } from '#domains/kustomizations/render/render.ts'
import { readSpec } from '#domains/kustomizations/spec.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Files } from '#formats/kustomize/build.ts'
import type { Rendered, Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Plan } from '#model/plan.ts'
import { drivenOf, plainMemory, systemClock, usualOptions, type DriverMemory } from './drive.ts'
import type { TestKube } from './kube.ts'

export type KubeDriver = {
  readonly target: Target
  readonly kubernetes: Kubernetes
  render(files: Readonly<Record<string, string>>): Promise<Rendered>
  /** Builds the files, paths to texts, and applies them. */
  up(files: Readonly<Record<string, string>>, how?: KubeUp): Promise<KubeDriven>
  /** How many calls of a method were made since the last time this was asked. */
  calls(method: string): number
  /** `GET /api/v1/…?…` of all calls and streams since the last time this was asked. */
  asked(): readonly string[]
  close(): void
}

export type KubeDriven = {
  readonly outcome: string
  readonly plan: Plan | undefined
  /** Everything that was told. */
  readonly text: string
}

type Line = {
  readonly method: string
  readonly path: string
  readonly query: NonNullable<Ask['query']>
}

export type KubeUp = {
  /** Hears of each event as it comes. */
  readonly told?: (event: Event) => void
  readonly request?: Partial<Request>
  readonly options?: Partial<Request['options']>
  readonly variables?: ReadonlyMap<string, string>
  /** Fields of a Kustomization's spec. */
  readonly spec?: JsonRecord
  /** What the set consisted of before, as the controller has it from the Kustomization's status; without: nobody knows. */
  readonly inventory?: readonly ObjectName[]
  /** As the controller has it: what it knows is not asked for again. */
  readonly sight?: ClusterCache
}

const leastSpec = {
  interval: '1m',
  prune: true,
  sourceRef: { kind: 'GitRepository', name: 'test' },
}

const { signal } = new AbortController()

export function driveKube(
  kube: Pick<TestKube, 'kubeconfig'>,
  name: string,
  options: ApplyOptions = {},
  access?: ClusterAccess,
  silence?: number,
  memory: DriverMemory = plainMemory(),
): KubeDriver {
  const counts = new Map<string, number>()
  const lines: Line[] = []
  const kubernetes = counting(
    kubernetesAt(access ?? findCluster(clusterSurroundings(kube.kubeconfig))),
    counts,
    lines,
    silence,
  )
  const owner = { namespace: 'flux-system', name }
  const known = {
    kubernetes,
    discovery: discoveryOf(kubernetes),
    clock: systemClock,
    owner,
    options: { prune: true, ...options },
    memory: setMemory(),
  }
  const target = kustomizationTarget(known)
  const parts = {
    kind: kustomizationsKind(options),
    target,
    clock: systemClock,
    store: memory.store,
    leases: memory.leases,
  }

  function render(files: Readonly<Record<string, string>>, how: KubeUp = {}): Promise<Rendered> {
    return renderKustomization({
      files: filesOf(files),
      spec: readSpec({ ...leastSpec, ...how.spec }).spec,
      surroundings: { variables: how.variables ?? new Map(), ageKeys: [] },
      owner,
      revision: 'r1',
      seed: new Uint8Array([7]),
    })
  }

  async function up(
    files: Readonly<Record<string, string>>,
    how: KubeUp = {},
  ): Promise<KubeDriven> {
    const rendered = await render(files, how)
    const request: Request = {
      application: { kind: 'kustomization', ...owner },
      instance: 'test',
      trigger: 'manual',
      isDryRun: false,
      isUninstall: false,
      render: () => rendered,
      revision: 'r1',
      since: 1000,
      source: null,
      holder: 'a test',
      options: { ...usualOptions, concurrency: 32, timeout: 60_000, ...how.options },
      ...how.request,
    }
    const events: Event[] = []
    const { inventory, sight } = how
    const own =
      inventory === undefined
        ? {}
        : { target: kustomizationTarget({ ...known, inventory, clusterCache: sight }) }
    for await (const event of reconcile(request, { ...parts, ...own }, signal)) {
      events.push(event)
      how.told?.(event)
    }
    const { end, plan } = drivenOf(events)
    return {
      outcome: end.outcome,
      plan,
      get text() {
        return JSON.stringify(events)
      },
    }
  }
  return {
    kubernetes,
    target,
    render,
    up,
    calls(method) {
      const count = counts.get(method) ?? 0
      counts.delete(method)
      return count
    },
    asked: () => lines.splice(0).map(textOf),
    close: () => kubernetes.close(),
  }
}

/** `silence`: how long a call is waited for that does not say so itself, ms. */
function counting(
  kubernetes: Kubernetes,
  counts: Map<string, number>,
  lines: Line[],
  silence?: number,
): Kubernetes {
  const usual = silence === undefined ? {} : { silence }
  return {
    ...kubernetes,
    ask(method, path, ask) {
      counts.set(method, (counts.get(method) ?? 0) + 1)
      lines.push({ method, path, query: ask.query ?? {} })
      return kubernetes.ask(method, path, { ...usual, ...ask })
    },
    stream(path, ask) {
      lines.push({ method: 'GET', path, query: ask.query ?? {} })
      return kubernetes.stream(path, ask)
    },
  }
}

function textOf({ method, path, query }: Line): string {
  const words = Object.entries(query).map(([key, value]) => `${key}=${String(value)}`)
  return `${method} ${path}?${words.join('&')}`
}

function filesOf(texts: Readonly<Record<string, string>>): Files {
  const paths = Object.keys(texts)
  const below = (folder: string) => (folder === '' ? '' : `${folder}/`)
  return {
    read(path) {
      const text = texts[path]
      return text === undefined ? undefined : Buffer.from(text)
    },
    isDirectory: (path) => path === '' || paths.some((each) => each.startsWith(below(path))),
    list(path) {
      const inside = paths.filter((each) => each.startsWith(below(path)))
      return [...new Set(inside.map((each) => each.slice(below(path).length).split('/')[0]!))]
    },
  }
}
