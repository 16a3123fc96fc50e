/** What an application may ask of its host: by hand nearly everything, out of a repository what the operator allows. */
import { normalize } from 'node:path/posix'

export type Ruling = 'allow' | 'warn' | 'deny'

export type Policy = {
  readonly privileged: Ruling
  /** network, pid, ipc, uts, user and cgroup of the host. */
  readonly hostNamespaces: Ruling
  /** The socket of Docker or Podman: whoever has it has the host. */
  readonly engineSocket: Ruling
  readonly capabilities: Ruling
  readonly devices: Ruling
  /** Options that switch confinement off: seccomp=unconfined, label=disable. */
  readonly unconfined: Ruling
  readonly outsideBinds: Ruling
  /** Folders whose files may be bound; what lies in the project's own is always inside. */
  readonly allowedRoots: readonly string[]
}

export const allowAll: Policy = policyOf('allow')

/** For what comes from a repository, unless its operator said otherwise. */
export const denyAll: Policy = policyOf('deny')

function policyOf(ruling: Ruling): Policy {
  return {
    privileged: ruling,
    hostNamespaces: ruling,
    engineSocket: ruling,
    capabilities: ruling,
    devices: ruling,
    unconfined: ruling,
    outsideBinds: ruling,
    allowedRoots: [],
  }
}

/** Whether a path is a folder or below it, however it is spelt; links are for whoever reads the disk. */
export function isBelow(path: string, folder: string): boolean {
  const [tidy, root] = [path, folder].map((text) => normalize(text).replace(/\/+$/, ''))
  return tidy === root || tidy!.startsWith(`${root}/`)
}
