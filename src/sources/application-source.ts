/**
 * Which source an application came from when it last made something: what it leaves behind is not for another one that gets its name.
 * What was made by earlier versions says nothing of its source by itself, so that this is also kept on the disk, beside the files.
 */
import { mkdirSync, readdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { SourceDeclared } from '#model/declaration.ts'
import { folderOf } from './bind-files.ts'

/** One text for every way to write the address of a repository, without user and password. */
export function sourceName(source: SourceDeclared): string {
  if (source.kind === 'artifact') return source.name
  if (source.kind !== 'git') return source.path
  const url = source.url.trim()
  const [, host, path] =
    /^[a-z][a-z0-9+.-]*:\/\/(?:[^/@]*@)?([^/]*)(\/.*)$/i.exec(url) ??
    /^(?:[^/@:]*@)?([^/:]+):(.*)$/.exec(url) ??
    []
  if (host === undefined || path === undefined) return tidy(url)
  return tidy(`${host.toLowerCase().replace(/:(22|80|443)$/, '')}/${path.replace(/^\/+/, '')}`)
}

function tidy(place: string): string {
  const whole = place.replace(/[?#].*$/, '')
  let end = whole.length
  while (end > 1 && whole[end - 1] === '/') end -= 1
  return whole.slice(0, end).replace(/\.git$/, '')
}

export type KnownSources = {
  /** The source that an application was made from; undefined: it never made anything here. */
  of(key: string): string | undefined
  note(key: string, source: string): void
  /** Whether containers of the application have left files here. */
  hasFiles(key: string): boolean
}

/** `folder` holds the files that containers bind. */
export function knownSources(folder: string): KnownSources {
  const fileOf = (key: string): string => join(folder, '.sources', folderOf(key))
  const of = (key: string): string | undefined => textAt(fileOf(key))
  return {
    of,
    note(key, source) {
      if (of(key) === source) return
      const file = fileOf(key)
      mkdirSync(join(folder, '.sources'), { recursive: true })
      writeFileSync(`${file}.new`, source)
      renameSync(`${file}.new`, file)
    },
    hasFiles: (key) => namesIn(join(folder, folderOf(key))).some((name) => name !== '.source'),
  }
}

function textAt(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch {
    // it was never noted
    return undefined
  }
}

function namesIn(folder: string): readonly string[] {
  try {
    return readdirSync(folder)
  } catch {
    // there is no such folder
    return []
  }
}
