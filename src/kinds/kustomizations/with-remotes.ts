/** Files of a kustomization together with those of the bases on other machines, each below a name of its own. */
import type { Files } from '#formats/kustomize/build.ts'
import type { SnapshotFiles } from '#model/render.ts'
import { witnessed } from '#sources/inputs.ts'
import { treeOfSnapshot } from '#sources/snapshot-files.ts'
import { filesOf } from './files.ts'

/** By the address that kustomizations name. */
export type RemoteFiles = readonly (readonly [address: string, files: SnapshotFiles])[]

export function withRemotes(files: Files, remotes: RemoteFiles): Files {
  if (remotes.length === 0) return files
  const mounts = new Map<string, Files>()
  const roots = new Map<string, string>()
  for (const [address, snapshot] of remotes) {
    const mount = `remote:${snapshot.root.replaceAll('/', '-')}:${snapshot.revision}`
    roots.set(address, mount)
    if (!mounts.has(mount)) {
      mounts.set(mount, filesOf(witnessed(treeOfSnapshot(snapshot)), { isWhole: true }))
    }
  }
  function at(path: string): { readonly files: Files; readonly path: string } {
    const [mount = '', ...rest] = path.split('/')
    const found = mounts.get(mount)
    return found === undefined ? { files, path } : { files: found, path: rest.join('/') }
  }
  return {
    read(path) {
      const one = at(path)
      return one.files.read(one.path)
    },
    isDirectory(path) {
      const one = at(path)
      return one.path === '' || one.files.isDirectory(one.path)
    },
    list(path) {
      const one = at(path)
      return one.files.list(one.path)
    },
    remoteRoot: (address) => roots.get(address),
  }
}
