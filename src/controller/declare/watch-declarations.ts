/** Declarations that follow their files: read again on change and when told. A bad edit keeps the last good ones. */
import { watch, type FSWatcher } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { isDeepStrictEqual } from 'node:util'
import type { Declarations } from '#model/declaration.ts'
import type { KindDeclaration } from '#model/kind-declaration.ts'
import { canonical, type Json } from '#model/json.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Environment } from './origin.ts'
import { declarationsIn, readFiles } from './read-declarations.ts'

export type DeclarationsChange = {
  /** The last good ones; undefined as long as there never were any. */
  readonly declarations: Declarations | undefined
  /** Of the newest reading; empty when it is what `declarations` say. */
  readonly problems: readonly ProblemFacts[]
  /** What keeps changes from being noticed by themselves. */
  readonly warnings: readonly string[]
}

export type Watched = {
  current(): DeclarationsChange
  /** For SIGHUP: reads now, and tells in any case. */
  reload(): DeclarationsChange
  close(): void
}

/** Editors write a file in several steps; where others write all the time, it is read all the same. */
const settling = 150
const patience = 1_000

/** `tell` hears of each change of the declarations or their problems, the first reading not included: that is `current`. */
export function watchDeclarations(
  paths: readonly string[],
  environment: Environment,
  kinds: readonly KindDeclaration[],
  tell: (news: DeclarationsChange) => void,
): Watched {
  const warnings: string[] = []
  let files = readFiles(paths)
  let news = declared(undefined)
  let timer: NodeJS.Timeout | undefined
  let watchers = watchAll()
  let first = 0
  let isClosed = false

  function declared(before: Declarations | undefined): DeclarationsChange {
    const { declarations, problems } = declarationsIn(files, environment, kinds)
    return { declarations: declarations ?? before, problems, warnings }
  }

  function reload(): DeclarationsChange {
    files = readFiles(paths)
    news = declared(news.declarations)
    tell(news)
    return news
  }

  /** A folder that was put in another's place is no longer the one that is watched: all are watched anew. */
  function look(): void {
    timer = undefined
    if (isClosed) return
    for (const watcher of watchers) watcher.close()
    watchers = watchAll()
    const read = readFiles(paths)
    // whatever else is written beside the files, such as a log, makes nobody parse them
    if (isDeepStrictEqual(read, files)) return
    files = read
    const next = declared(news.declarations)
    if (markOf(next) === markOf(news)) return
    news = next
    tell(news)
  }

  function soon(): void {
    const now = performance.now()
    if (timer === undefined) first = now
    else if (now - first > patience) return
    clearTimeout(timer)
    timer = setTimeout(look, settling)
  }

  /** A file is watched by its folder: who renames a new file over it, or swaps a link beside it, is noticed so. */
  function watchAll(): readonly FSWatcher[] {
    warnings.length = 0
    const folders = new Set(paths.flatMap((path) => [dirname(resolve(path)), resolve(path)]))
    return [...folders].flatMap((folder) => {
      try {
        const watcher = watch(folder, { persistent: false }, soon)
        watcher.on('error', soon)
        return [watcher]
      } catch (error) {
        const code = error instanceof Error && 'code' in error ? String(error.code) : 'error'
        if (code !== 'ENOENT') {
          warnings.push(`changes of ${folder} are not noticed (${code}); send SIGHUP to reload`)
        }
        return []
      }
    })
  }

  return {
    current: () => news,
    reload,
    close() {
      isClosed = true
      clearTimeout(timer)
      for (const watcher of watchers) watcher.close()
    },
  }
}

function markOf({ declarations, problems }: DeclarationsChange): string {
  const json: Json = JSON.parse(JSON.stringify([declarations ?? null, problems]))
  return canonical(json)
}
