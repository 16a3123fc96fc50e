/** Reports every change of some files and folders, new folders included. Folders that are skipped are not even entered. */
import { lstatSync, readdirSync, watch, type FSWatcher } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { isBelow } from '#model/policy.ts'

type WatchedFiles = { close(): void }

export function watchFiles(
  roots: readonly string[],
  skips: (folder: string) => boolean,
  hear: (path: string) => void,
): WatchedFiles {
  const watchers = new Map<string, FSWatcher>()

  /** Each folder has a watch of its own, because the kernel knows no other. */
  function enter(folder: string): void {
    if (watchers.has(folder) || skips(folder)) return
    const watcher = watch(folder, (_, name) => name !== null && changed(join(folder, name)))
    // the folder above tells that it is gone
    watcher.on('error', () => leave(folder))
    watchers.set(folder, watcher)
    for (const entry of readdirSync(folder, { withFileTypes: true })) {
      if (entry.isDirectory()) enter(join(folder, entry.name))
    }
  }

  function changed(path: string): void {
    if (isFolder(path)) entered(path)
    else leave(path)
    hear(path)
  }

  function entered(folder: string): void {
    try {
      enter(folder)
    } catch {
      // it is gone again, and that is heard too
      leave(folder)
    }
  }

  function leave(path: string): void {
    for (const [folder, watcher] of watchers) {
      if (!isBelow(folder, path)) continue
      watcher.close()
      watchers.delete(folder)
    }
  }

  const single = roots.filter((root) => !isFolder(root))
  for (const root of roots) if (isFolder(root)) enter(root)
  const files = single.map((file) =>
    // editors put another file in the place of the old one: only its folder hears of that
    watch(dirname(file), (_, name) => name === basename(file) && hear(file)),
  )
  return {
    close() {
      for (const watcher of [...watchers.values(), ...files]) watcher.close()
    },
  }
}

function isFolder(path: string): boolean {
  return lstatSync(path, { throwIfNoEntry: false })?.isDirectory() === true
}
