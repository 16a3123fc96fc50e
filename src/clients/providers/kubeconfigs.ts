/** A kubeconfig file for each cluster, never the user's own one; what is there is not asked for again. */
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

export type Kubeconfigs = {
  /** Undefined: there is none yet. */
  read(name: string): string | undefined
  write(name: string, text: string): void
  drop(name: string): void
  fileOf(name: string): string
}

export function kubeconfigsIn(folder: string): Kubeconfigs {
  function fileOf(name: string): string {
    if (!/^[a-z0-9-]+$/.test(name)) throw new TypeError(`no name of a cluster: ${name}`)
    return join(folder, `${name}.yaml`)
  }
  return {
    fileOf,
    read(name) {
      try {
        return readFileSync(fileOf(name), 'utf8')
      } catch {
        // there is none before the cluster was made
        return undefined
      }
    },
    write(name, text) {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const file = fileOf(name)
      writeFileSync(`${file}.new`, text, { mode: 0o600 })
      renameSync(`${file}.new`, file)
    },
    drop(name) {
      if (/^[a-z0-9-]+$/.test(name)) rmSync(fileOf(name), { force: true })
    },
  }
}
