/** Sprig's path functions: Go's path package; the os forms are the same on Unix. */
import { takes1, text, type Func } from '../library.ts'

const base = takes1(text, (_, path) => baseOf(path))
const dir = takes1(text, (_, path) => cleanPath(path.slice(0, path.lastIndexOf('/') + 1)))
const clean = takes1(text, (_, path) => cleanPath(path))
const ext = takes1(text, (_, path) => /\.[^./]*$/.exec(path)?.[0] ?? '')
const isAbs = takes1(text, (_, path) => path.startsWith('/'))

export const pathFunctions: Readonly<Record<string, Func>> = {
  base,
  dir,
  clean,
  ext,
  isAbs,
  osBase: base,
  osDir: dir,
  osClean: clean,
  osExt: ext,
  osIsAbs: isAbs,
}

function baseOf(path: string): string {
  if (path === '') return '.'
  const trimmed = path.replace(/(?<!\/)\/+$/, '')
  const name = trimmed.slice(trimmed.lastIndexOf('/') + 1)
  return name === '' ? '/' : name
}

function cleanPath(path: string): string {
  if (path === '') return '.'
  const isRooted = path.startsWith('/')
  const kept: string[] = []
  for (const part of path.split('/')) {
    if (part === '' || part === '.') continue
    if (part !== '..') kept.push(part)
    else if (kept.length > 0 && kept.at(-1) !== '..') kept.pop()
    else if (!isRooted) kept.push(part)
  }
  const joined = kept.join('/')
  return isRooted ? `/${joined}` : joined === '' ? '.' : joined
}
