/** Which declarations live in which branch of which repository. */
import type { Declarations, SourceDeclared } from '#model/declaration.ts'
import { canonical } from '#model/json.ts'
import type { Repository } from '#model/source.ts'
import type { BranchDeclarations } from './ingest-snapshot.ts'
import { branchOf } from './branch-of.ts'
import { repoOf, type Branch, type BranchHooks, type Repo } from './repository-poller.ts'
import { defined } from '#model/defined.ts'

export type RepositoryRegistry = {
  readonly repos: Map<string, Repo>
  /** Follows new declarations; repositories that stay keep what they know. Gives those of which something else is declared. */
  follow(declarations: Declarations): ReadonlySet<Repo>
  of(branch: Branch): BranchDeclarations
  repoFor(source: SourceDeclared): Repo | undefined
  /** Where a declaration lives. */
  branchFor(source: SourceDeclared): Branch | undefined
}

export function createRepositoryRegistry(
  repository: (source: SourceDeclared) => Repository,
  hooks: BranchHooks,
): RepositoryRegistry {
  const repos = new Map<string, Repo>()
  let current: Declarations | undefined
  /** By repository: what was declared of it. */
  let marks = new Map<string, string>()

  function branchFor(source: SourceDeclared): Branch | undefined {
    return repos.get(idOf(source))?.branches.get(refOf(source))
  }

  function used(): readonly { readonly source: SourceDeclared; readonly interval: number }[] {
    const declared = [...(current?.apps ?? []), ...(current?.discoveries ?? [])]
    const asked = declared.map(({ source, policy }) => ({ source, interval: policy.interval }))
    return [...asked, ...(current?.sources ?? [])]
  }

  return {
    repos,
    repoFor: (source) => repos.get(idOf(source)),
    branchFor,
    follow(declarations) {
      current = declarations
      const wanted = used()
      const before = new Map(repos)
      repos.clear()
      for (const { source } of wanted) {
        const id = idOf(source)
        if (!repos.has(id)) repos.set(id, before.get(id) ?? repoOf(id, repository(source), hooks))
        const repo = defined(repos.get(id))
        const ref = refOf(source)
        if (!repo.branches.has(ref)) repo.branches.set(ref, branchOf(source, repo.repository.shown))
      }
      for (const repo of repos.values()) {
        const own = wanted.filter(({ source }) => idOf(source) === repo.id)
        const refs = new Set(own.map(({ source }) => refOf(source)))
        for (const ref of repo.branches.keys()) if (!refs.has(ref)) repo.branches.delete(ref)
        const times = own.map(({ interval }) => interval).filter((interval) => interval > 0)
        repo.interval = times.length === 0 ? 0 : Math.min(...times)
      }
      const known = marks
      marks = marksOf(declarations)
      return new Set([...repos.values()].filter(({ id }) => marks.get(id) !== known.get(id)))
    },
    of(branch) {
      const isHere = ({ source }: { readonly source: SourceDeclared }): boolean =>
        branchFor(source) === branch
      return {
        branch,
        apps: (current?.apps ?? []).filter(isHere),
        discoveries: (current?.discoveries ?? []).filter(isHere),
      }
    },
  }
}

/** By repository: what is declared of it, only told apart. */
function marksOf({ apps, discoveries, sources = [] }: Declarations): Map<string, string> {
  const marks = new Map<string, string>()
  for (const one of [...apps, ...discoveries, ...sources]) {
    const id = idOf(one.source)
    marks.set(id, `${marks.get(id) ?? ''}${JSON.stringify(one)}`)
  }
  return marks
}

/** The same repository for all its refs. */
function idOf(source: SourceDeclared): string {
  if (source.kind === 'directory') return `directory ${source.path}`
  if (source.kind === 'artifact') return `artifact ${source.name}`
  if (source.kind === 'table') return `table ${source.of} ${source.path}`
  const { url, credential, submodules, timeout = 0, verify } = source
  const parts = ['git', url, JSON.stringify(credential ?? null), submodules, timeout]
  return canonical(verify === undefined ? parts : [...parts, JSON.stringify(verify)])
}

function refOf(source: SourceDeclared): string {
  return source.kind === 'git' ? source.ref : ''
}
