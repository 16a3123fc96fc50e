/** The artifact that another controller made of a source: fetched where that one serves it, checked, and unpacked into a folder. */
import { createHash } from 'node:crypto'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import { listedTree } from '../directory.ts'
import { withLock } from '../lock.ts'
import { withOmitted } from '../omitted.ts'
import { treeStore } from '../tree-store.ts'
import { download } from './download.ts'
import { BadArchive } from './tar-entries.ts'
import { unpack, usualArchiveLimits, type ArchiveLimits } from './unpack.ts'

/** An artifact as the status of its source describes it. */
export type Artifact = {
  readonly url: string
  readonly digest: string
  /** `main@sha1:…`, `latest@sha256:…` */
  readonly revision: string
  /** ms; 0: nobody said. */
  readonly at: number
}

type ArtifactOptions = {
  /** `OCIRepository/flux-system/podinfo` */
  readonly name: string
  /** One folder for the caches of all repositories. */
  readonly cache: string
  /** The artifact that is announced at this moment. */
  readonly find: (name: string) => Artifact | undefined
  /** Takes the place of the host in every address, as a setting of Flux's own controllers does. */
  readonly host?: string | undefined
  readonly limits?: Partial<ArchiveLimits>
}

/** The hash of the source's revision, and whose content it is: other rules of what is ignored make another artifact of one commit. */
export function artifactRevision({ revision, digest }: Pick<Artifact, 'revision' | 'digest'>) {
  const known = /(?:^|[:/])([0-9a-f]{40,128})$/.exec(revision)?.[1]
  const hash = known ?? createHash('sha256').update(revision).digest('hex')
  return `${hash}-${digest.replace(/^\w+:/, '').slice(0, 12)}`
}

export function artifactRepository(options: ArtifactOptions): Repository {
  const { name, cache, find, host } = options
  const limits = { ...usualArchiveLimits, ...options.limits }
  const plain = name.replaceAll('/', '-').replace(/[^\w.-]/g, '')
  const home = join(cache, `artifact-${plain}`)
  const trees = treeStore(join(home, 'trees'))

  function announced(): Artifact {
    const found = find(name)
    if (found !== undefined) return found
    throw problemWith(`${name} has no artifact yet`)
  }

  async function make(revision: string, signal: AbortSignal) {
    const artifact = announced()
    if (artifactRevision(artifact) !== revision) {
      throw problemWith(`${name} has another artifact by now`)
    }
    await mkdir(home, { recursive: true })
    const scratch = await mkdtemp(join(home, 'fetch-'))
    try {
      const archive = join(scratch, 'artifact')
      await download({ ...artifact, url: withHost(artifact.url, host) }, archive, limits, signal)
      return await trees.put(revision, {
        async write(folder) {
          const omitted = await unpack(archive, folder, limits)
          return { message: '', at: artifact.at, omitted }
        },
      })
    } catch (error) {
      if (!(error instanceof BadArchive)) throw error
      throw problemWith(`the artifact of ${name} can't be used: ${error.message}`, false)
    } finally {
      await rm(scratch, { recursive: true, force: true })
    }
  }

  return {
    shown: name,
    async latest(refs) {
      const revision = artifactRevision(announced())
      return new Map(refs.map((ref) => [ref, revision]))
    },
    async snapshot(revision, _ref, signal): Promise<Snapshot> {
      const kept =
        (await trees.find(revision)) ??
        (await withLock(home, signal, async () => {
          return (await trees.find(revision)) ?? (await make(revision, signal))
        }))
      const { folder, message, at, omitted } = kept
      const tree = await listedTree(folder, {
        shown: `${name}@${revision.slice(0, 7)}`,
        mostFiles: limits.mostFiles * 2,
        largestFile: limits.largestFile,
        hasIgnoreFile: false,
        skipsBadLinks: true,
        keepsContents: false,
      })
      return { revision, message, at, folder, tree: withOmitted(tree, new Set(omitted)), omitted }
    },
    async keepOnly(revisions) {
      await withLock(home, new AbortController().signal, () => trees.keepOnly(revisions))
    },
  }
}

function withHost(url: string, host: string | undefined): string {
  const parsed = host === undefined || host === '' ? null : URL.parse(url)
  if (parsed === null) return url
  parsed.host = host ?? ''
  return parsed.href
}

function problemWith(message: string, recoverable = true): Problem {
  return new Problem({ type: 'runtime', code: 'git_error', message, recoverable })
}
