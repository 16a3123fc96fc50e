/** Bases on other machines that kustomizations build on: fetched as Git sources, from where the operator allows it, each at one commit. */
import type { Credential, RemoteOrigin } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { SnapshotFiles } from '#model/render.ts'
import type { Repository } from '#model/source.ts'
import { gitRepository } from './git/repository.ts'
import { filesOfSnapshot } from './snapshot-files.ts'

/** A base that a kustomization asks for. */
type BaseAsked = {
  /** `https://github.com/org/repo`, `git@host:org/repo.git` */
  readonly repository: string
  /** The host; empty for a repository of this machine. */
  readonly host: string
  /** The ref; empty: HEAD. */
  readonly ref: string
}

export type BaseFetched = { readonly commit: string; readonly files: SnapshotFiles }

export type RemoteBases = {
  isAllowed(asked: BaseAsked): boolean
  /** The newest commit of its ref; `pinned`: the one that counts while the repository can't be asked. Throws a problem. */
  fetch(asked: BaseAsked, pinned: string | undefined, signal: AbortSignal): Promise<BaseFetched>
}

type RemoteBaseParts = {
  /** The origins as they are declared now. Of two that name the same place the first counts. */
  readonly origins: () => readonly RemoteOrigin[]
  readonly cache: string
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** ms */
const limits = { lookTime: 30_000, fetchTime: 120_000 }

export function remoteBasesOf({ origins, cache, environment }: RemoteBaseParts): RemoteBases {
  const known = new Map<string, Repository>()

  function originOf({ repository, host }: BaseAsked): RemoteOrigin | undefined {
    if (host === '') return undefined
    const place = placeOf(repository, host)
    const fitting = origins().filter(
      ({ from }) => isBelow(place.withPort, from) || isBelow(place.plain, from),
    )
    // what is said of a part counts before what is said of the whole
    return fitting.toSorted((one, other) => other.from.length - one.from.length)[0]
  }

  function repositoryAt(asked: BaseAsked, origin: RemoteOrigin): Repository {
    const { credential, verify, from } = origin
    const isItsOwn = isBelow(placeOf(asked.repository, asked.host).withPort, from)
    if (credential !== undefined && !(isItsOwn && isProtected(asked, credential))) {
      throw noCredential(asked, origin)
    }
    const id = JSON.stringify([asked.repository, credential ?? null, verify ?? null])
    const found = known.get(id)
    if (found !== undefined) return found
    // submodules may lie anywhere, also where nothing is allowed
    const more = verify === undefined ? {} : { verify }
    const options = { url: asked.repository, credential, submodules: false, ...more }
    const made = gitRepository({ ...options, cache, environment, limits })
    known.set(id, made)
    return made
  }

  return {
    isAllowed: (asked) => originOf(asked) !== undefined,
    async fetch(asked, pinned, signal) {
      const origin = originOf(asked)
      if (origin === undefined) throw notAllowed(asked)
      const repository = repositoryAt(asked, origin)
      const ref = asked.ref === '' ? 'HEAD' : asked.ref
      const commit = await newest(repository, ref, pinned, signal)
      const snapshot = await repository.snapshot(commit, ref, signal)
      return { commit, files: filesOfSnapshot(snapshot) }
    },
  }
}

async function newest(
  repository: Repository,
  ref: string,
  pinned: string | undefined,
  signal: AbortSignal,
): Promise<string> {
  try {
    const commit = (await repository.latest([ref], signal)).get(ref)
    if (commit !== undefined) return commit
  } catch (thrown) {
    if (pinned === undefined || signal.aborted) throw thrown
    return pinned
  }
  const message = `${repository.shown} has no branch, tag or commit ${JSON.stringify(ref)}`
  throw new Problem({ type: 'configuration', code: 'git_error', message })
}

type BaseAddress = {
  /** The address without a scheme: `github.com/org/repo`, whichever way it is reached. */
  readonly plain: string
  /** The address with its port: `github.com:8443/org/repo`; without a number where the port is the usual one. */
  readonly withPort: string
}

function placeOf(repository: string, host: string): BaseAddress {
  const [, number, ofUrl, ofShort] =
    /^(?:\w+:\/\/[^/:]*(?::(\d+))?[/:](.*)|[^/:]*[/:](.*))$/s.exec(repository) ?? []
  const path = (ofUrl ?? ofShort ?? '').replace(/^\/+/, '').replace(/\.git$/, '')
  const usual = /^https:/i.test(repository) ? '443' : /^http:/i.test(repository) ? '80' : '22'
  const port = number === undefined || number === usual ? '' : `:${number}`
  return { plain: `${host}/${path}`, withPort: `${host}${port}/${path}` }
}

/** Whoever writes the kustomization chooses scheme and port: a token is not sent in clear, and a key is no token. */
function isProtected({ repository }: BaseAsked, { kind }: Credential): boolean {
  return kind === 'ssh' ? !/^https?:/i.test(repository) : /^https:/i.test(repository)
}

function noCredential({ repository }: BaseAsked, { from, credential }: RemoteOrigin): Problem {
  const way = credential?.kind === 'ssh' ? 'ssh' : 'https'
  return new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${repository} is not what the credential of the remote base ${from} is for: that goes over ${way}, to the port that is declared`,
    suggestion: `use ${way} in the kustomization; a port other than the usual one is declared too: remoteBases: [{ from: HOST:PORT }]`,
  })
}

/** Compares whole parts: `github.com/acme` does not hold for `github.com/acme-evil`. */
function isBelow(place: string, from: string): boolean {
  const [host = '', ...path] = from.split('/').filter((part) => part !== '')
  const bare = [host.toLowerCase(), ...path].join('/').replace(/\.git$/, '')
  return `${place}/`.startsWith(`${bare}/`)
}

function notAllowed({ repository, host }: BaseAsked): Problem {
  return new Problem({
    type: 'configuration',
    code: 'denied',
    message: `${repository} is on another machine, and no remote bases are allowed from there`,
    suggestion:
      host === ''
        ? 'put a copy into the repository'
        : `allow it: TEND_REMOTE_BASES=${host}, or remoteBases: [{ from: ${host} }] in tend.yaml; or put a copy into the repository`,
  })
}

/** What the operator's environment allows: `github.com/acme, git.example.org`. */
export function originsIn(environment: RemoteBaseParts['environment']): readonly RemoteOrigin[] {
  const said = environment['TEND_REMOTE_BASES'] ?? ''
  return said
    .split(/[\s,]+/)
    .filter((from) => from !== '')
    .map((from) => ({ from }))
}
