/** Words that engines know, with the rule of each: capabilities, log drivers, drivers and options of networks. */
import type { Ask } from './policy.ts'

/** Capabilities that count only inside the container's own namespaces, and so do not reach the host. */
const contained = new Set([
  'AUDIT_WRITE',
  'CHOWN',
  'DAC_OVERRIDE',
  'FOWNER',
  'FSETID',
  'IPC_LOCK',
  'IPC_OWNER',
  'KILL',
  'LEASE',
  'NET_ADMIN',
  'NET_BIND_SERVICE',
  'NET_BROADCAST',
  'NET_RAW',
  'SETFCAP',
  'SETGID',
  'SETPCAP',
  'SETUID',
  'SYS_CHROOT',
  'SYS_NICE',
  'SYS_RESOURCE',
])

/** `word` is the name that the author of the declaration uses for it. */
export function asksOfCapability(name: string, word: string): Ask {
  const plain = name.toUpperCase().replace(/^CAP_/, '')
  const rule = contained.has(plain) ? 'containedCapabilities' : 'capabilities'
  return { rule, what: `${word} ${name}` }
}

const updateLabel = 'io.containers.autoupdate'

/** Podman's update timer restarts the unit of the host that a label names. The label may be the container's or its image's. */
export function asksOfLabels(names: readonly string[]): readonly Ask[] {
  return names
    .filter((name) => name === 'PODMAN_SYSTEMD_UNIT' || name === updateLabel)
    .map((name) => ({ rule: 'runtimes', what: `label ${name}` }))
}

/** These labels on the container switch off what labels of its image say about updates. */
export const withoutUpdates: Readonly<Record<string, string>> = { [updateLabel]: 'disabled' }

/** Log drivers that write where the engine keeps its own logs. */
const localLogs = new Set(['', 'json-file', 'local', 'journald', 'none', 'k8s-file'])

const logOptions = new Set([
  'max-size',
  'max-file',
  'max-buffer-size',
  'mode',
  'compress',
  'labels',
  'labels-regex',
  'env',
  'env-regex',
  'tag',
  'cache-disabled',
  'cache-max-size',
  'cache-max-file',
  'cache-compress',
])

/** Podman writes a log to whatever `path` names; other drivers send it to an address, which may be a socket of the host. */
export function asksOfLogging(
  driver: string,
  options: Readonly<Record<string, string>>,
): readonly Ask[] {
  const ofDriver: readonly Ask[] = localLogs.has(driver)
    ? []
    : [{ rule: 'logDrivers', what: `the log driver ${driver}` }]
  const ofOptions = Object.entries(options).flatMap(([name, value]): readonly Ask[] => {
    if (logOptions.has(name)) return []
    const what = `the log option ${name}`
    const isPath = name === 'path' || /^(\/|\.|unix|file:|unixgram)/.test(value)
    if (isPath) return [{ rule: 'outsideBinds', what }]
    return localLogs.has(driver) ? [{ rule: 'logDrivers', what }] : []
  })
  return [...ofDriver, ...ofOptions]
}

const networkOptions = new Set([
  'com.docker.network.driver.mtu',
  'com.docker.network.bridge.enable_icc',
  'com.docker.network.bridge.enable_ip_masquerade',
  'com.docker.network.bridge.host_binding_ipv4',
  'com.docker.network.bridge.inhibit_ipv4',
  'com.docker.network.container_iface_prefix',
  'com.docker.network.enable_ipv6',
  'mtu',
  'isolate',
  'metric',
  'no_default_route',
])

/** macvlan and ipvlan put a container on the host's own network; a bridge by the name of one that is there joins it. */
export function asksOfNetwork(
  driver: string,
  options: Readonly<Record<string, string>>,
  subnets: readonly string[],
  ipamDriver = '',
): readonly Ask[] {
  const rule = 'networkDrivers'
  const foreign = subnets.filter((subnet) => !isPrivate(subnet))
  const odd = Object.keys(options).filter((name) => !networkOptions.has(name))
  return [
    ...(['', 'bridge', 'default'].includes(driver)
      ? []
      : [{ rule, what: `a network of the driver ${driver}` } as const]),
    ...odd.map((name) => ({ rule, what: `the network option ${name}` }) as const),
    ...(['', 'default', 'host-local'].includes(ipamDriver)
      ? []
      : [{ rule, what: `the ipam driver ${ipamDriver}` } as const]),
    ...foreign.map((subnet) => {
      const what = `the subnet ${subnet}, which is not private: the host's own traffic to it would go to the application; it`
      return { rule: 'hostNamespaces', what } as const
    }),
  ]
}

/** Whether all addresses of a subnet are such that no other host of the world has them. */
function isPrivate(subnet: string): boolean {
  const [address = '', bits = '0'] = subnet.split('/')
  if (address.includes(':')) return /^f[cd]/i.test(address) && Number(bits) >= 8
  const [first = 0, second = 0] = address.split('.').map(Number)
  if (first === 10) return Number(bits) >= 8
  if (first === 172) return second >= 16 && second < 32 && Number(bits) >= 12
  return first === 192 && second === 168 && Number(bits) >= 16
}

/** What an engine takes for the name of a volume or network. Anything else may be a path or an id to it. */
export function isPlainName(name: string): boolean {
  return /^[a-zA-Z0-9][a-zA-Z0-9_.-]*$/.test(name) && !/^[0-9a-f]{64}$/.test(name)
}

/** Parameters of the kernel that a container has for itself. */
const ownParameters =
  /^(net\.[\w./-]+|fs\.mqueue\.[a-z_]+|kernel\.(msgmax|msgmnb|msgmni|sem|shmall|shmmax|shmmni|shm_rmid_forced|domainname))$/

export function asksOfParameters(names: readonly string[]): readonly Ask[] {
  return names
    .filter((name) => !ownParameters.test(name) || name.includes('..'))
    .map((name) => ({
      rule: 'unconfined',
      what: `the kernel parameter ${name}, which is that of the whole host,`,
    }))
}

/** With these a process takes processors before all others of the host, as with the capability SYS_NICE. */
export function asksOfLimits(names: readonly string[]): readonly Ask[] {
  return names
    .filter((name) => ['rtprio', 'nice'].includes(name.toLowerCase().replace(/^rlimit_/, '')))
    .map((name) => ({ rule: 'containedCapabilities', what: `the limit ${name}` }))
}

/** Options of what keeps the files of a container. */
export function asksOfStorage(names: readonly string[]): readonly Ask[] {
  return names
    .filter((name) => name !== 'size')
    .map((name) => ({ rule: 'unconfined', what: `the storage option ${name}` }))
}
