/** Sources that source-controller reads: the artifact that the status of one announces stands for its files. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import { artifactRevision, type Artifact } from '#sources/artifact/repository.ts'
import { artifactKinds, readyOf, type FluxObject } from './kinds.ts'
import { createInformer, type Informer, type InformerHooks } from './informer.ts'
import type { RepositoryRead } from './repository.ts'

export type ArtifactSources = {
  /** By `KIND NAMESPACE/NAME`, as Kustomizations name them. */
  reads(): ReadonlyMap<string, RepositoryRead>
  /** GitRepositories, where they are source-controller's. */
  readGit(one: FluxObject): RepositoryRead
  /** What is announced under the name of a declared source. */
  readonly find: (name: string) => Artifact | undefined
  /** The revision as the source has it, `main@sha1:…`; undefined: it was not announced since this process began. */
  shown(revision: string): string | undefined
  /** Every kind that the cluster serves was listed once. */
  isWhole(): boolean
  keep(signal: AbortSignal): Promise<void>
}

/** ms. Looking at what is announced costs nothing. */
const interval = 30_000
/** ms. Kinds may be defined later. */
const nextLook = 30_000

export function artifactSources(
  kubernetes: Kubernetes,
  discovery: Discovery,
  clock: Clock,
  hooks: InformerHooks,
): ArtifactSources {
  const announced = new Map<string, Artifact>()
  const revisions = new Map<string, string>()
  const mirrors = new Map<string, Informer>()
  const looked = new Set<string>()

  function read(kind: string, one: FluxObject): RepositoryRead {
    const name = `${kind}/${one.key}`
    const artifact = artifactIn(one)
    if (artifact === undefined) {
      announced.delete(name)
      const said = textOf(readyOf(one)['message'])
      const message = said === '' ? `${kind} ${one.key} has no artifact yet` : said
      return { trouble: { reason: 'ArtifactFailed', message, isStalled: false } }
    }
    announced.set(name, artifact)
    revisions.set(artifactRevision(artifact), artifact.revision)
    return { source: { kind: 'artifact', name }, interval }
  }

  return {
    readGit: (one) => read('GitRepository', one),
    reads() {
      const pairs = [...mirrors].flatMap(([kind, { objects }]) =>
        [...objects.values()].map((one) => [`${kind} ${one.key}`, read(kind, one)] as const),
      )
      return new Map(pairs)
    },
    find: (name) => announced.get(name),
    shown: (revision) => revisions.get(revision),
    isWhole() {
      const isListed = [...mirrors.values()].every((mirror) => mirror.isWhole())
      return looked.size === artifactKinds.length && isListed
    },
    async keep(signal) {
      await Promise.all(
        artifactKinds.map(async (versions) => {
          const kind = versions[0]?.kind ?? ''
          while (!signal.aborted) {
            const served = await servedOf(discovery, versions, signal)
            if (served === undefined) {
              if (!looked.has(kind)) hooks.changed()
              looked.add(kind)
              await clock.sleep(nextLook, signal)
              continue
            }
            const mirror = createInformer(kubernetes, served, clock, hooks)
            mirrors.set(kind, mirror)
            looked.add(kind)
            try {
              await mirror.keep(signal)
            } catch (thrown) {
              signal.throwIfAborted()
              // an account from before this kind was read may not list it: all else goes on
              mirrors.delete(kind)
              hooks.lost(`${kind} can't be followed: ${problemOf(thrown).message}`)
              hooks.changed()
              await clock.sleep(nextLook, signal)
            }
          }
        }),
      )
    },
  }
}

async function servedOf(
  discovery: Discovery,
  versions: (typeof artifactKinds)[number],
  signal: AbortSignal,
) {
  for (const { apiVersion, kind } of versions) {
    // a version that the cluster does not have
    const found = await discovery.find(apiVersion, kind, signal).catch(() => undefined)
    if (found !== undefined) return found
  }
  return undefined
}

/** Undefined also where it is our own: nobody else has made one by now. */
export function artifactIn({ status }: FluxObject): Artifact | undefined {
  const artifact = recordOf(status['artifact'])
  const [url, revision] = [textOf(artifact['url']), textOf(artifact['revision'])]
  const digest = textOf(artifact['digest'])
  if (url === '' || digest === '' || revision === '' || isOwn(url)) return undefined
  return { url, digest, revision, at: Date.parse(textOf(artifact['lastUpdateTime'])) || 0 }
}

/** Tend serves its own below this path. */
export const ownPath = '/artifacts/'

/** What earlier versions published was served by nobody. */
export function isOwn(url: string): boolean {
  const parsed = URL.parse(url)
  if (parsed === null) return false
  return parsed.pathname.startsWith(ownPath) || parsed.hostname.startsWith('tend.flux-system.')
}
