/** What an application may ask of its host: by hand nearly everything, out of a repository what the operator allows. */
import { normalize } from 'node:path/posix'
import type { SecurityLines } from './problem.ts'
import type { SecretLists } from './secret-variables.ts'
import { defined } from './defined.ts'

export type Ruling = 'allow' | 'warn' | 'deny'

export type Policy = {
  readonly privileged: Ruling
  /** network, pid, ipc, uts, user and cgroup of the host or of strangers' containers. */
  readonly hostNamespaces: Ruling
  /** The socket of Docker or Podman: whoever has it has the host. */
  readonly engineSocket: Ruling
  readonly capabilities: Ruling
  /** Capabilities that count only inside the container's own namespaces, such as NET_ADMIN. */
  readonly containedCapabilities: Ruling
  readonly devices: Ruling
  /** Options that switch confinement off or change it: seccomp=unconfined, label=disable, cgroup_parent. */
  readonly unconfined: Ruling
  readonly outsideBinds: Ruling
  /** Volumes that are mounted from another machine: NFS and CIFS. */
  readonly networkVolumes: Ruling
  /** Drivers of volumes other than `local`: plugins decide themselves what they mount. */
  readonly volumeDrivers: Ruling
  /** Drivers and options of networks other than those of a plain bridge. */
  readonly networkDrivers: Ruling
  /** Another OCI runtime; annotations, which runtimes and hooks of the host read; labels by which Podman restarts units of the host. */
  readonly runtimes: Ruling
  /** Log drivers that send elsewhere or are plugins. */
  readonly logDrivers: Ruling
  /** Networks that the application did not declare as its own. */
  readonly externalNetworks: Ruling
  /** Volumes that the application did not declare as its own. */
  readonly externalVolumes: Ruling
  /** Images that another application built, and names of images that are not its own to build under. */
  readonly externalImages: Ruling
  /** Folders whose files may be bound; what lies in the project's own is always inside. */
  readonly allowedRoots: readonly string[]
  /** What of others every application may use: `network/NAME`, `volume/NAME`, `container/NAME`, `image/NAME`. */
  readonly shared: readonly string[]
  /** Where the operator says all this, when it is not in tend.yaml: docker-cd's variables. */
  readonly saidIn?: 'environment'
} & SecretLists

export type Rule = Exclude<keyof Policy, 'allowedRoots' | 'shared' | 'saidIn' | keyof SecretLists>

export const rules = [
  'privileged',
  'hostNamespaces',
  'engineSocket',
  'capabilities',
  'containedCapabilities',
  'devices',
  'unconfined',
  'outsideBinds',
  'networkVolumes',
  'volumeDrivers',
  'networkDrivers',
  'runtimes',
  'logDrivers',
  'externalNetworks',
  'externalVolumes',
  'externalImages',
] as const satisfies readonly Rule[]

export const allowAll: Policy = rulingAll('allow')

/** The policy for whatever comes from a repository, unless its operator declares another one. */
export const denyAll: Policy = rulingAll('deny')

/** A policy with the same ruling for everything. */
export function rulingAll(ruling: Ruling): Policy {
  return {
    privileged: ruling,
    hostNamespaces: ruling,
    engineSocket: ruling,
    capabilities: ruling,
    containedCapabilities: ruling,
    devices: ruling,
    unconfined: ruling,
    outsideBinds: ruling,
    networkVolumes: ruling,
    volumeDrivers: ruling,
    networkDrivers: ruling,
    runtimes: ruling,
    logDrivers: ruling,
    externalNetworks: ruling,
    externalVolumes: ruling,
    externalImages: ruling,
    allowedRoots: [],
    shared: [],
  }
}

/** Warns of what can't reach the host or the data of others, and denies the rest: the default with docker-cd's variables. */
export const warnOfHarmless: Policy = {
  ...denyAll,
  containedCapabilities: 'warn',
  networkVolumes: 'warn',
  networkDrivers: 'warn',
  logDrivers: 'warn',
  externalNetworks: 'warn',
}

/** One thing that an application asks for, in words that complete "… is denied". */
export type Ask = {
  readonly rule: Rule
  readonly what: string
  /** The entry of `shared` that allows just this. */
  readonly share?: string
  /** The folder of the host that `allowedRoots` may name to allow it. */
  readonly root?: string
  /** What else its author can do about it. */
  readonly instead?: string
}

type Judgement = {
  readonly isDenied: boolean
  readonly message: string
  readonly suggestion: string
  /** Absent where the operator does not say such things in tend.yaml. */
  readonly allowedBy?: SecurityLines
}

/** Undefined: it is allowed, and nobody needs to be told. */
export function judge(policy: Policy, ask: Ask): Judgement | undefined {
  const { rule, what, share } = ask
  const ruling = policy[rule]
  if (ruling === 'allow' || (share !== undefined && policy.shared.includes(share))) return undefined
  const isDenied = ruling === 'deny'
  return {
    isDenied,
    message: isDenied ? `${what} is denied by the policy` : `${what}: the policy warns of it`,
    suggestion: `${ask.instead ?? 'take it out'}, or let the operator ${allowing(policy, ask)}`,
    ...(policy.saidIn === 'environment' ? {} : { allowedBy: linesFor(ask) }),
  }
}

function linesFor({ rule, share, root }: Ask): SecurityLines {
  if (root !== undefined) return { allowedRoots: [root] }
  return share === undefined ? { [rule]: 'allow' } : { shared: [share] }
}

/** The lines of several refusals as one: whatever can be pasted is pasted once. */
export function mergedLines(all: readonly SecurityLines[]): SecurityLines {
  const merged: Record<string, 'allow' | readonly string[]> = {}
  for (const [name, value] of all.flatMap((lines) => Object.entries(lines))) {
    const before = merged[name] ?? []
    const isList = value !== 'allow' && before !== 'allow'
    merged[name] = isList ? [...new Set([...before, ...value])] : 'allow'
  }
  return merged
}

/** As it is written in tend.yaml. */
export function securityText(lines: SecurityLines): string {
  const entries = Object.entries(lines).map(([name, value]) => {
    return `${name}: ${value === 'allow' ? value : `[${value.map(plainOrQuoted).join(', ')}]`}`
  })
  return `security: {${entries.join(', ')}}`
}

function plainOrQuoted(text: string): string {
  return /^[\w/][\w./:@+-]*$/.test(text) ? text : JSON.stringify(text)
}

/** The line of the configuration that allows it, in the form in which this operator declares policies. */
function allowing({ saidIn }: Policy, { rule, share, root }: Ask): string {
  if (saidIn === 'environment') {
    const all = 'TEND_SECURITY=warn (or allow)'
    return share === undefined ? `set ${all}` : `set TEND_SHARED=${share}, or ${all}`
  }
  const wide = share === undefined ? { [rule]: 'allow' as const } : { shared: [share] }
  return root === undefined
    ? `write ${securityText(wide)} for it in tend.yaml`
    : `write ${securityText({ allowedRoots: [root] })} for it in tend.yaml (${rule}: allow allows every path)`
}

const sockets = /\/(docker|podman|containerd|crio)\.sock$/

/** Folders that hold the engine's socket. */
const aroundSockets = ['/', '/run', '/run/docker', '/run/podman', '/var', '/var/run']

/** `roots`: the folders from which everything may be mounted. A path that is not absolute lies outside of all. */
export function asksOfPath(path: string, roots: readonly string[]): readonly Ask[] {
  const tidy = normalize(path).replace(/(.)\/+$/, '$1')
  const what = `a mount of ${path}`
  const reaches = sockets.test(tidy) || aroundSockets.includes(tidy)
  const isInside = tidy.startsWith('/') && roots.some((root) => isBelow(tidy, root))
  return [
    ...(reaches ? [{ rule: 'engineSocket', what } as const] : []),
    ...(isInside ? [] : [{ rule: 'outsideBinds', what, ...rootFor(tidy, reaches) } as const]),
  ]
}

/** Nobody is advised to allow the whole host, or what holds an engine's socket. */
function rootFor(path: string, reaches: boolean): Pick<Ask, 'root'> {
  const isPath = path.startsWith('/') && path !== '/' && /^[\w./+-]+$/.test(path)
  return isPath && !reaches ? { root: path } : {}
}

/** Whether a path is the folder or lies below it, however it is spelt. Links are not followed: whoever reads the disk has to. */
export function isBelow(path: string, folder: string): boolean {
  const [tidy, root] = [path, folder].map((text) => normalize(text).replace(/\/+$/, ''))
  return tidy === root || defined(tidy).startsWith(`${root}/`)
}

/** Whether a path lies below the folder and is not the folder itself. */
export function isStrictlyBelow(path: string, folder: string): boolean {
  return isBelow(path, folder) && !isBelow(folder, path)
}
