/** Paths as Compose resolves them: POSIX on every host, with Windows' absolute ones recognised and left alone. */
import { isAbsolute, join, relative } from 'node:path/posix'

/** Joins and cleans; never ends in a slash. */
export function joined(base: string, path: string): string {
  return clean(join(base, path))
}

export function clean(path: string): string {
  const tidy = join(path)
  return tidy.length > 1 && tidy.endsWith('/') ? tidy.slice(0, -1) : tidy
}

/** The way from one directory to another; undefined when one is absolute and the other is not. */
export function relativeTo(base: string, path: string): string | undefined {
  if (isAbsolute(base) !== isAbsolute(path)) return undefined
  const way = isAbsolute(base) ? relative(base, path) : relative(`/${base}`, `/${path}`)
  return way === '' ? '.' : way
}

export function isWindowsAbsolute(path: string): boolean {
  if (/^.:/.test(path)) return /^.:[\\/]/.test(path)
  if (/^[\\/]{2}/.test(path)) return true
  return /^[\\/]\?\?(?:[\\/]|$)/.test(path)
}

/** Whether `path` is `root` or below it, judged by the words of the paths alone. */
export function isWithin(root: string, path: string): boolean {
  const base = clean(root)
  const tidy = clean(path)
  return tidy === base || tidy.startsWith(base === '/' ? '/' : `${base}/`)
}
