/** Files of a release as plain data, with everything that could differ between two machines said: mode, order, no owner, no time. */
import { readFileSync, readdirSync, statSync } from 'node:fs'

export type Entry =
  | { readonly kind: 'file'; readonly mode: number; readonly content: Buffer }
  | { readonly kind: 'link'; readonly to: string }
  | { readonly kind: 'folder'; readonly mode: number }

/** By path, without a slash at the beginning. */
export type Tree = Readonly<Record<string, Entry>>

export function file(content: string | Buffer, mode = 0o644): Entry {
  return { kind: 'file', mode, content: Buffer.from(content) }
}

/** The files of a folder on the disk, one beside the other or below. */
export function filesIn(folder: string, under: string): Tree {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  const files = names.filter((name) => statSync(`${folder}/${name}`).isFile())
  return Object.fromEntries(
    files.map((name) => {
      const path = `${folder}/${name}`
      const isProgram = (statSync(path).mode & 0o100) !== 0
      return [`${under}/${name}`, file(readFileSync(path), isProgram ? 0o755 : 0o644)]
    }),
  )
}

export function below(prefix: string, tree: Tree): Tree {
  return Object.fromEntries(Object.entries(tree).map(([path, one]) => [`${prefix}/${path}`, one]))
}

/** With the folders above every file, sorted: a folder comes before what is in it. */
export function whole(tree: Tree): readonly (readonly [string, Entry])[] {
  const folders = Object.keys(tree).flatMap((path) => {
    const parts = path.split('/').slice(0, -1)
    return parts.map((_, index) => parts.slice(0, index + 1).join('/'))
  })
  const made = Object.fromEntries(
    folders.map((path) => [path, { kind: 'folder', mode: 0o755 } as const]),
  )
  return Object.entries<Entry>({ ...made, ...tree }).toSorted(([one], [other]) =>
    one < other ? -1 : 1,
  )
}
