/** Which files of a folder go into the context of a build. In the service this is done in a render process: the rules are a repository's. */
import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { dockerIgnore, type Ignored } from './dockerignore.ts'

export type ContextAsked = {
  /** Without links. */
  readonly folder: string
  /** The file with the rules; where it is not there nothing is left out. */
  readonly rules: string
  /** Paths in the folder that the engine needs whatever the rules say. */
  readonly always: readonly string[]
}

/** Paths of all entries that go in, in order, each ended by a zero: one text, because there may be a hundred thousand. */
export type ListContext = (asked: ContextAsked) => Promise<string>

export async function listContext({ folder, rules, always }: ContextAsked): Promise<string> {
  const text = await readFile(rules, 'utf8').catch((error: NodeJS.ErrnoException) => {
    // without the file nothing is left out
    if (error.code === 'ENOENT') return ''
    throw error
  })
  const ignored = dockerIgnore(text)
  const needed = new Set(always)
  const paths: string[] = []
  for await (const path of below(folder, '', (name) => !needed.has(name) && ignored(name))) {
    paths.push(`${path}\0`)
  }
  return paths.join('')
}

/** Something in a folder that stays out may have been taken back. Links are not entered. */
async function* below(folder: string, inside: string, ignored: Ignored): AsyncIterable<string> {
  const entries = await readdir(join(folder, inside), { withFileTypes: true })
  const sorted = entries.toSorted((one, other) => (one.name < other.name ? -1 : 1))
  for (const entry of sorted) {
    const path = inside === '' ? entry.name : `${inside}/${entry.name}`
    if (!ignored(path)) yield path
    if (entry.isDirectory()) yield* below(folder, path, ignored)
  }
}
