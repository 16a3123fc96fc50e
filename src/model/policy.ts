/** What an application may ask of its host: by hand nearly everything, out of a repository what the operator allows. */
import { normalize } from 'node:path/posix'

export type Ruling = 'allow' | 'warn' | 'deny'

export type Policy = {
  readonly privileged: Ruling
  /** network, pid, ipc, uts, user and cgroup of the host or of strangers' containers. */
  readonly hostNamespaces: Ruling
  /** The socket of Docker or Podman: whoever has it has the host. */
  readonly engineSocket: Ruling
  readonly capabilities: Ruling
  readonly devices: Ruling
  /** Options that switch confinement off or change it: seccomp=unconfined, label=disable. */
  readonly unconfined: Ruling
  readonly outsideBinds: Ruling
  /** Folders whose files may be bound; what lies in the project's own is always inside. */
  readonly allowedRoots: readonly string[]
}

export type Rule = Exclude<keyof Policy, 'allowedRoots'>

export const allowAll: Policy = rulingAll('allow')

/** For what comes from a repository, unless its operator said otherwise. */
export const denyAll: Policy = rulingAll('deny')

/** One ruling for everything. */
export function rulingAll(ruling: Ruling): Policy {
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

/** One thing that an application asks for, in words that complete "… is denied". */
export type Ask = { readonly rule: Rule; readonly what: string }

export type Judgement = {
  readonly isDenied: boolean
  readonly message: string
  readonly suggestion: string
}

/** Undefined: it is allowed, and nobody needs to know. */
export function judge(policy: Policy, { rule, what }: Ask): Judgement | undefined {
  const ruling = policy[rule]
  if (ruling === 'allow') return undefined
  const isDenied = ruling === 'deny'
  return {
    isDenied,
    message: isDenied ? `${what} is denied by the policy` : `${what}: the policy warns of it`,
    suggestion: `take it out, or let the operator allow ${rule}`,
  }
}

const sockets = /\/(docker|podman|containerd|crio)\.sock$/

/** Folders that hold the engine's socket. */
const aroundSockets = ['/', '/run', '/run/docker', '/run/podman', '/var', '/var/run']

/** `roots`: where everything may be mounted from. A path that does not say where it starts is outside of all. */
export function asksOfPath(path: string, roots: readonly string[]): readonly Ask[] {
  const tidy = normalize(path).replace(/(.)\/+$/, '$1')
  const what = `a mount of ${path}`
  const reaches = sockets.test(tidy) || aroundSockets.includes(tidy)
  const isInside = tidy.startsWith('/') && roots.some((root) => isBelow(tidy, root))
  return [
    ...(reaches ? [{ rule: 'engineSocket', what } as const] : []),
    ...(isInside ? [] : [{ rule: 'outsideBinds', what } as const]),
  ]
}

const harmless = ['', 'tmpfs', 'nfs', 'nfs4', 'cifs']

/** A volume can be a mount in disguise: `{ type: none, o: bind, device: /etc }`, a disk, an overlay over folders of the host. */
export function asksOfVolume(
  driver: string,
  options: Readonly<Record<string, string>>,
  roots: readonly string[],
): readonly Ask[] {
  if (!['', 'local'].includes(driver)) return []
  const { type = '', device = '', o = '' } = options
  const isBind = ['bind', 'rbind'].some((word) => word === type || o.split(',').includes(word))
  if (isBind) return asksOfPath(device, roots)
  if (harmless.includes(type) && !(type === '' && device.startsWith('/'))) return []
  return [{ rule: 'outsideBinds', what: `a volume of ${[type, device].join(' ').trim()}` }]
}

/** Whether a path is a folder or below it, however it is spelt; links are for whoever reads the disk. */
export function isBelow(path: string, folder: string): boolean {
  const [tidy, root] = [path, folder].map((text) => normalize(text).replace(/\/+$/, ''))
  return tidy === root || tidy!.startsWith(`${root}/`)
}
