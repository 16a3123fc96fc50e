/** The body of a container's creation, out of what the user wrote. */
import { textOf, textsOf } from '#model/read-json.ts'
import { isAtLeast } from '#clients/docker/negotiate.ts'
import { parseDuration } from '#formats/compose/canonical/units.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isSealed } from '#model/value.ts'
import { fieldsOf } from '../expand/operation.ts'
import { hostPortsOf } from '../host-ports.ts'
import type { ServiceSpec } from '../spec.ts'
import { endpointOf } from './endpoint.ts'
import { hostConfigOf } from './host-config.ts'
import { isInherited, only, type Making } from './making.ts'

export function bodyOf(spec: ServiceSpec, making: Making): JsonRecord {
  const { service } = spec
  const [first] = making.networks
  const mac = textOf(service.mac_address) || first?.mac
  return only({
    Image: spec.image,
    Cmd: textsOf(service.command),
    Entrypoint: entrypointOf(service.entrypoint),
    Env: environmentOf(spec, making),
    Labels: making.labels,
    Hostname: textOf(service.hostname),
    Domainname: textOf(service.domainname),
    User: textOf(service.user),
    WorkingDir: textOf(service.working_dir),
    Tty: service.tty,
    OpenStdin: service.stdin_open,
    StopSignal: textOf(service.stop_signal),
    StopTimeout: secondsOf(service.stop_grace_period),
    // newer engines take it with the network
    MacAddress: isAtLeast(making.apiVersion, '1.44') ? undefined : mac,
    ExposedPorts: exposedOf(spec),
    Volumes: Object.fromEntries(
      spec.mounts.flatMap(({ target, from }) =>
        from.kind === 'volume' && from.volume === '' && !isInherited(making, target)
          ? [[target, {}] as const]
          : [],
      ),
    ),
    Healthcheck: healthcheckOf(service.healthcheck ?? {}, making.apiVersion),
    HostConfig: hostConfigOf(spec, making),
    NetworkingConfig: {
      EndpointsConfig: Object.fromEntries(
        making.networks.map((attachment, index) => [
          attachment.network,
          endpointOf(index === 0 && mac !== undefined ? { ...attachment, mac } : attachment),
        ]),
      ),
    },
  })
}

/** An empty one takes the image's away. */
function entrypointOf(value: unknown): Json | undefined {
  return Array.isArray(value) ? (value.length === 0 ? [''] : textsOf(value)) : undefined
}

function environmentOf({ service }: ServiceSpec, making: Making): readonly string[] {
  return Object.entries(fieldsOf(service.environment)).map(
    ([name, value]) => `${name}=${isSealed(value) ? making.open(value) : textOf(value)}`,
  )
}

function exposedOf(spec: ServiceSpec): JsonRecord {
  const published = hostPortsOf(spec).map(
    ({ containerPort, protocol }) => `${containerPort}/${protocol}`,
  )
  const { expose } = spec.service
  const exposed = (Array.isArray(expose) ? expose : []).flatMap((item: unknown) => {
    const text = String(item)
    const [ports = '', protocol = 'tcp'] = text.split('/')
    const [from = 0, to = from] = ports.split('-').map(Number)
    return Array.from({ length: to - from + 1 }, (_, index) => `${from + index}/${protocol}`)
  })
  return Object.fromEntries([...published, ...exposed].map((port) => [port, {}]))
}

export function secondsOf(value: unknown): number | undefined {
  const nanoseconds = parseDuration(textOf(value))
  return nanoseconds === undefined ? undefined : Math.ceil(Number(nanoseconds) / 1e9)
}

type Check = NonNullable<ServiceSpec['service']['healthcheck']>

function healthcheckOf(check: Check, apiVersion: string): JsonRecord | undefined {
  if (check.disable === true) return { Test: ['NONE'] }
  const nanoseconds = (name: 'interval' | 'start_interval' | 'start_period' | 'timeout') =>
    Number(parseDuration(textOf(check[name])) ?? 0n)
  const made = {
    ...(check.test === undefined ? {} : { Test: textsOf(check.test) }),
    ...(check.retries === undefined ? {} : { Retries: check.retries }),
    ...(check.interval === undefined ? {} : { Interval: nanoseconds('interval') }),
    ...(check.timeout === undefined ? {} : { Timeout: nanoseconds('timeout') }),
    ...(check.start_period === undefined ? {} : { StartPeriod: nanoseconds('start_period') }),
    ...(check.start_interval === undefined || !isAtLeast(apiVersion, '1.44')
      ? {}
      : { StartInterval: nanoseconds('start_interval') }),
  }
  return Object.keys(made).length === 0 ? undefined : made
}
