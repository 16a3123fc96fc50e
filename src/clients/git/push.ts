/** Moves refs of a repository elsewhere, all of them or none, and only from where they were seen. */
import type { Remote } from './remote.ts'
import { runGit } from './git.ts'

export type Push = {
  /** A bare repository that holds the commits. */
  readonly folder: string
  /** `COMMIT:REF` sets a ref, `:REF` removes one. */
  readonly refs: readonly string[]
  /** The commit that each ref must still have, such as `refs/heads/dev`; empty for a ref that must not exist. */
  readonly from: ReadonlyMap<string, string>
  readonly limit: number
}

const protocols = 'https:http:ssh:file'

export async function pushRefs(remote: Remote, push: Push, signal: AbortSignal): Promise<void> {
  const { git, access, settingsFile, address } = remote
  const seen = [...push.from].map(([ref, commit]) => `--force-with-lease=${ref}:${commit}`)
  const words = ['push', '--quiet', '--atomic', '--porcelain', ...seen, '--', address.url]
  await runGit(git, {
    words: [...words, ...push.refs],
    folder: push.folder,
    limit: push.limit,
    signal,
    access,
    protocols,
    settingsFile,
  })
}
