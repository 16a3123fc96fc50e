/** A Git repository as a source: asked once for all its refs, fetched when one moved, each commit's files in a folder. */
import { createHash } from 'node:crypto'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { openAccess } from '#clients/git/access.ts'
import { addressOf } from '#clients/git/address.ts'
import { describe } from '#clients/git/objects.ts'
import { gitProblem } from '#clients/git/problem.ts'
import { remoteRefs, type Remote } from '#clients/git/remote.ts'
import type { Credential, Verification } from '#model/declaration.ts'
import { factsOf, Problem } from '#model/problem.ts'
import type { Repository, Snapshot } from '#model/source.ts'
import { listedTree } from '../directory.ts'
import { withLock } from '../lock.ts'
import { withOmitted } from '../omitted.ts'
import { treeStore, type KeptTree } from '../tree-store.ts'
import { bareIn } from './bare.ts'
import { readCredential } from './credential.ts'
import { changeInto, layOut, type LaidOut } from './lay-out.ts'
import { historyIn } from './history.ts'
import { descends } from './lineage.ts'
import { usualLimits, type GitLimits } from './limits.ts'
import {
  commitOf,
  isFullId,
  isRange,
  isShortId,
  isUsual,
  refProblem,
  tagNamed,
  tagOf,
} from './refs.ts'
import { beginningWith } from './short-ids.ts'
import { fillSubmodules } from './submodules.ts'
import { signedMarks } from './signed-marks.ts'
import { publicKeys, verify } from './verify.ts'

export type GitOptions = {
  readonly url: string
  readonly credential: Credential | undefined
  readonly submodules: boolean
  /** Whose signature is needed; unset: nobody's. */
  readonly verify?: Verification
  /** One folder for the caches of all repositories. */
  readonly cache: string
  /** The operator's: variables that hold credentials, PATH, proxies. */
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly limits?: Partial<GitLimits>
  /** Secrets that are in memory alone. */
  readonly held?: ((name: string) => string | undefined) | undefined
}

/** How often old files are looked for where no new ones came, ms. */
const cleanEvery = 600_000

export function gitRepository(options: GitOptions): Repository {
  const address = addressOf(options.url)
  const { shown } = address
  const limits = { ...usualLimits, ...options.limits }
  const git = { around: options.environment }
  const home = join(options.cache, folderName(address.name, address.url, options.submodules))
  const settingsFile = join(home, 'settings')
  const trees = treeStore(join(home, 'trees'))
  const store = { git, folder: join(home, 'objects.git'), limit: limits.fetchTime }
  const bare = bareIn(store.folder, store, limits)

  /** Credentials are opened for one piece of work, and its failures told without them. */
  async function reach<T>(doing: string, work: (remote: Reached) => Promise<T>): Promise<T> {
    await mkdir(home, { recursive: true })
    // a repository of this machine may belong to another user: the operator named it, so it is trusted
    if (address.kind === 'file') await writeFile(settingsFile, '[safe]\n\tdirectory = *\n')
    const declared = options.credential
    const credential = declared === undefined ? undefined : await readCredential(declared, options)
    const access = openAccess(address, credential, options.environment)
    try {
      return await work({ git, address, access, settingsFile, credential })
    } catch (error) {
      if (error instanceof Problem) throw await withLastGood(error)
      throw await withLastGood(gitProblem(error, { shown, doing, secrets: access.secrets }))
    } finally {
      access.close()
    }
  }

  async function withLastGood(problem: Problem): Promise<Problem> {
    const [last] = await trees.revisions()
    if (last === undefined) return problem
    const kept = `The last good snapshot, ${last.slice(0, 12)}, is kept.`
    return new Problem({ ...factsOf(problem), details: [...problem.details, kept] })
  }

  const meant = new Map<string, string>()
  let names: readonly string[] = []

  async function latest(refs: readonly string[], signal: AbortSignal) {
    const problem = refs.map(refProblem).find((one) => one !== undefined)
    if (problem !== undefined) throw problem
    const open = refs.filter((ref) => !isFullId(ref))
    if (open.length === 0) return new Map(refs.map((ref) => [ref, ref]))
    return reach('asking for its refs', async (remote) => {
      const isAll = !open.every(isUsual)
      const there = await remoteRefs(remote, isAll, signal, limits.lookTime)
      names = [...there.keys()]
      const found = new Map<string, string | undefined>()
      for (const ref of refs) {
        const tag = isRange(ref) ? tagOf(ref, there) : undefined
        if (tag !== undefined) meant.set(ref, tag)
        const commit = commitOf(ref, there)
        const isShort = commit === undefined && isShortId(ref)
        found.set(ref, isShort ? await longId(ref) : commit)
      }
      return found

      /** One that can't be found out harms none of the others. */
      async function longId(ref: string): Promise<string | undefined> {
        try {
          return await fullId(remote, ref, there, signal)
        } catch (thrown) {
          if (refs.length === 1 || signal.aborted) throw thrown
          return undefined
        }
      }
    })
  }

  async function fullId(
    remote: Remote,
    short: string,
    there: ReadonlyMap<string, string>,
    signal: AbortSignal,
  ): Promise<string | undefined> {
    const near = [...there.values(), ...(await trees.revisions())]
    const known = near.find((id) => id.startsWith(short))
    if (known !== undefined) return known
    const folder = join(home, 'history.git')
    return withLock(home, signal, () => beginningWith(short, remote, folder, limits, signal))
  }

  let latestIds: { readonly revision: string; readonly ids: LaidOut['ids'] } | undefined

  async function snapshot(revision: string, ref: string, signal: AbortSignal): Promise<Snapshot> {
    if (!isFullId(revision)) throw notACommit(shown, revision)
    if (options.verify !== undefined) await checkSigned(revision, ref, options.verify, signal)
    const kept =
      (await trees.find(revision)) ??
      (await withLock(home, signal, async () => {
        return (await trees.find(revision)) ?? (await make(revision, signal))
      }))
    return snapshotOf(revision, kept)
  }

  const signed = new Set<string>()
  const marks = signedMarks(join(home, 'signed'))

  /** Also of what was laid out before: then it may not have been asked for. */
  async function checkSigned(
    commit: string,
    ref: string,
    wanted: Verification,
    signal: AbortSignal,
  ): Promise<void> {
    const key = `${commit} ${wanted.mode === 'head' ? '' : ref}`
    if (signed.has(key)) return
    const { mode } = wanted
    const asked = { commit, ref, mode, keys: await publicKeys(wanted.keys, options) }
    // what was good with these very keys is so while the repository is away, and while its newest commit is refused
    if (!marks.has(asked)) {
      const tag = meant.get(ref) ?? tagNamed(ref, names)
      await reach(`looking who signed ${commit.slice(0, 12)}`, (remote) =>
        withLock(home, signal, () =>
          bare.heal(async () => {
            await bare.get(remote, commit, signal)
            await verify({ store, remote, limits, commit, tag }, mode, asked.keys, signal)
          }),
        ),
      )
      await marks.add(asked)
    }
    signed.add(key)
  }

  function make(revision: string, signal: AbortSignal): Promise<KeptTree> {
    cleaned = { kept: '', at: -Infinity }
    return reach(`fetching ${revision.slice(0, 12)}`, (remote) =>
      bare.heal(async () => {
        await bare.get(remote, revision, signal)
        const about = describe(store, revision, signal)
        // it is awaited below; until then a failure is nobody's
        about.catch(() => {})
        const commit = { store, commit: revision, limits, shown }
        return trees.put(revision, {
          async write(folder) {
            const { omitted, unfetched, submodules, ids } = await layOut(commit, folder, signal)
            latestIds = { revision, ids }
            await bare.account(unfetched)
            const parent = { ...remote, bare, limits }
            const wanted = options.submodules ? submodules : []
            const below = await fillSubmodules(parent, folder, wanted, signal)
            return { ...(await about), omitted: [...omitted, ...below] }
          },
          async change(folder, from) {
            const laidOut = await changeInto(commit, folder, from, signal)
            const { omitted, unfetched, shape, ids } = laidOut
            latestIds = { revision, ids }
            await bare.account(unfetched)
            return { ...(await about), omitted, shape }
          },
        })
      }),
    )
  }

  async function snapshotOf(
    revision: string,
    { folder, message, author, at, omitted }: KeptTree,
  ): Promise<Snapshot> {
    const ids = latestIds?.revision === revision ? latestIds.ids : undefined
    const tree = await listedTree(folder, {
      shown: `${address.name}@${revision.slice(0, 7)}`,
      mostFiles: limits.mostFiles * 2,
      largestFile: limits.largestFile,
      hasIgnoreFile: false,
      skipsBadLinks: true,
      keepsContents: false,
      ...(ids === undefined ? {} : { ids }),
    })
    return {
      revision,
      message,
      ...(author === undefined ? {} : { author }),
      ...(options.verify === undefined ? {} : { isSigned: true }),
      at,
      folder,
      tree: withOmitted(tree, new Set(omitted)),
      omitted,
    }
  }

  /** The last time that old files were removed. What other processes left behind goes with the next one. */
  let cleaned = { kept: '', at: -Infinity }

  async function keepOnly(revisions: ReadonlySet<string>): Promise<void> {
    const kept = [...revisions].toSorted().join(' ')
    if (cleaned.kept === kept && Date.now() - cleaned.at < cleanEvery) return
    await withLock(home, new AbortController().signal, async () => {
      await trees.keepOnly(revisions)
      await bare.keepOnly(revisions)
      await marks.keepOnly(revisions)
      cleaned = { kept, at: Date.now() }
    })
  }

  /** Beside the fetching, not in its turn: a next commit does not wait for it. */
  async function comesFrom(to: string, from: string, signal: AbortSignal) {
    if (!isFullId(to) || !isFullId(from)) return undefined
    const asking = `asking where ${to.slice(0, 12)} comes from`
    const folder = join(home, 'lineage')
    return withLock(folder, signal, () =>
      descends(store, [from, to], join(folder, 'git'), (work) => reach(asking, work), signal),
    )
  }

  const history = historyIn(join(home, 'blame.git'), git, limits, reach)

  const tag = (ref: string) => meant.get(ref)
  return {
    shown,
    refProblem,
    latest,
    snapshot,
    keepOnly,
    comesFrom,
    tagOf: tag,
    names: () => names,
    blame: (revision, path, signal) => history.blame(revision, path, signal),
  }
}

type Reached = Remote & {
  readonly credential: Awaited<ReturnType<typeof readCredential>> | undefined
}

/** Readable by people, and different for whatever makes the files different. */
function folderName(name: string, url: string, submodules: boolean): string {
  const hash = createHash('sha256').update(`${url}\0${submodules}`).digest('hex').slice(0, 12)
  return `${name.replace(/[^\w.-]/g, '-').slice(0, 40)}-${hash}`
}

function notACommit(shown: string, revision: string): Problem {
  return new Problem({
    type: 'configuration',
    code: 'git_error',
    message: `${shown}: ${JSON.stringify(revision)} is not the full id of a commit`,
    suggestion: 'Ask for the newest revision of a branch or tag first.',
  })
}
