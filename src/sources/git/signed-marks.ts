/** Which commits were found rightly signed, by whom and how: known after a restart too, also while nobody can be asked again. */
import { createHash } from 'node:crypto'
import { mkdir, readdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { existsSync } from 'node:fs'
import type { PublicKeys } from '#clients/git/signature.ts'
import type { Verification } from '#model/declaration.ts'

/** One answer of "is it signed?": another key, another way to check or another tag is another question. */
export type SignedBy = {
  readonly commit: string
  /** That led to it; of no account where the commit itself is looked at. */
  readonly ref: string
  readonly mode: Verification['mode']
  readonly keys: PublicKeys
}

export type SignedMarks = {
  has(what: SignedBy): boolean
  add(what: SignedBy): Promise<void>
  /** Those of other commits are forgotten. */
  keepOnly(commits: ReadonlySet<string>): Promise<void>
}

export function signedMarks(folder: string): SignedMarks {
  return {
    has: (what) => existsSync(join(folder, nameOf(what))),
    async add(what) {
      await mkdir(folder, { recursive: true })
      await writeFile(join(folder, nameOf(what)), '')
    },
    async keepOnly(commits) {
      // there is no folder before something was found rightly signed
      const names = await readdir(folder).catch(() => [])
      const others = names.filter((name) => !commits.has(name.slice(0, name.indexOf('.'))))
      for (const name of others) await rm(join(folder, name), { force: true })
    },
  }
}

function nameOf({ commit, ref, mode, keys }: SignedBy): string {
  const asked = [mode, mode === 'head' ? '' : ref, keys.openPgp, keys.ssh]
  const hash = createHash('sha256').update(JSON.stringify(asked)).digest('hex')
  return `${commit}.${hash.slice(0, 32)}`
}
