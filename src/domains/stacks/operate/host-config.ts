/** The part of a container's creation that is about its host: mounts, ports, limits, namespaces, rights. */
import { textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isLater } from '#model/value.ts'
import { hostPortsOf } from '../host-ports.ts'
import { restartPolicyOf } from './restart-policy.ts'
import type { ServiceSpec } from '../spec.ts'
import { only, type Making } from './making.ts'
import { deviceRequests, limitsOf } from './limits.ts'
import { bindsOf, mountsOf, tmpfsOf } from './mounts.ts'

/** A word of the command line: the engine knows it as two empty lists. */
const systemPaths = /^systempaths[=:]unconfined$/

export function hostConfigOf(spec: ServiceSpec, making: Making): JsonRecord {
  const isBare = textsOf(spec.service.security_opt).some((option) => systemPaths.test(option))
  return { ...wishesOf(spec, making), ...(isBare ? { MaskedPaths: [], ReadonlyPaths: [] } : {}) }
}

function wishesOf(spec: ServiceSpec, making: Making): JsonRecord {
  const { service } = spec
  const { logging = {} } = service
  return only({
    Binds: bindsOf(spec, making),
    Mounts: mountsOf(spec),
    Tmpfs: tmpfsOf(spec),
    VolumesFrom: spec.volumesFrom.map(
      ({ container, readOnly }) => `${known(container)}:${readOnly ? 'ro' : 'rw'}`,
    ),
    PortBindings: portBindingsOf(spec, making),
    RestartPolicy: restartPolicyOf(spec),
    NetworkMode: networkModeOf(spec, making),
    IpcMode: modeOf(spec, 'ipc'),
    PidMode: modeOf(spec, 'pid'),
    UTSMode: modeOf(spec, 'uts'),
    UsernsMode: textOf(service.userns_mode),
    CgroupnsMode: textOf(service.cgroup),
    CgroupParent: textOf(service.cgroup_parent),
    Privileged: service.privileged === true ? true : undefined,
    CapAdd: textsOf(service.cap_add).map(capability),
    CapDrop: textsOf(service.cap_drop).map(capability),
    SecurityOpt: textsOf(service.security_opt).filter((option) => !systemPaths.test(option)),
    ReadonlyRootfs: service.read_only === true ? true : undefined,
    GroupAdd: textsOf(service.group_add),
    Sysctls: textMapOf(service.sysctls),
    Init: typeof service.init === 'boolean' ? service.init : undefined,
    Runtime: textOf(service.runtime),
    Dns: textsOf(service.dns),
    DnsOptions: textsOf(service.dns_opt),
    DnsSearch: textsOf(service.dns_search),
    ExtraHosts: textsOf(service.extra_hosts).map((host) => host.replace('=', ':')),
    Devices: (service.devices ?? []).map((device) => ({
      PathOnHost: textOf(device.source),
      PathInContainer: textOf(device.target) || textOf(device.source),
      CgroupPermissions: textOf(device.permissions) || 'rwm',
    })),
    DeviceCgroupRules: textsOf(service.device_cgroup_rules),
    DeviceRequests: deviceRequests(spec),
    Annotations: textMapOf(service.annotations),
    StorageOpt: textMapOf(service.storage_opt),
    LogConfig:
      Object.keys(logging).length === 0
        ? undefined
        : { Type: textOf(logging.driver), Config: textMapOf(logging.options) },
    ...limitsOf(spec),
  })
}

/** By its whole name: some engines take only that one. */
function capability(name: string): string {
  const upper = name.toUpperCase()
  return upper === 'ALL' || upper.startsWith('CAP_') ? upper : `CAP_${upper}`
}

/** By now it is known whose id it is. */
function known(container: ServiceSpec['volumesFrom'][number]['container']): string {
  if (isLater(container)) throw new TypeError(`the id of ${container.from} is not known`)
  return container
}

/** Without a network of the project: the one that the engine has for all, unless another mode was asked for. */
function networkModeOf(spec: ServiceSpec, { networks }: Making): string {
  const [first] = networks
  return first === undefined ? (modeOf(spec, 'network_mode') ?? 'none') : first.network
}

function modeOf(
  spec: ServiceSpec,
  field: 'ipc' | 'network_mode' | 'pid' | 'uts',
): string | undefined {
  const id = spec.joins[field]
  if (id !== undefined) return `container:${known(id)}`
  return textOf(spec.service[field]) || undefined
}

function portBindingsOf(spec: ServiceSpec, making: Making): Json {
  const bindings: Record<string, { HostIp: string; HostPort: string }[]> = {}
  for (const port of hostPortsOf(spec)) {
    const list = (bindings[`${port.containerPort}/${port.protocol}`] ??= [])
    list.push({ HostIp: port.hostIP, HostPort: making.choosePort?.(port) ?? port.range })
  }
  return bindings
}

/** `restart: on-failure:3`, else `deploy.restart_policy`. */
