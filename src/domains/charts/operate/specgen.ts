/** A container's spec as Podman takes it. Pure: what must be looked up or opened comes in resolved. */
import { constants } from 'node:os'
import type { Labels } from '#domains/containers/record.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isSealed, type Sealed } from '#model/value.ts'
import { bytesOf, cpusOf } from './quantities.ts'
import type { AttachmentSpec, ContainerSpec, HealthSpec, PortSpec } from '../spec.ts'
import type { SettledContainer } from '../spec-of.ts'

/** Mounts in Podman's two lists. */
export type Mounts = {
  readonly volumes: readonly JsonRecord[]
  readonly mounts: readonly JsonRecord[]
}

type Ingredients = {
  readonly name: string
  readonly labels: Labels
  readonly mounts: Mounts
  readonly user: string | undefined
  /** The working directory; undefined: the image's own. */
  readonly folder: string | undefined
  /** Lines of /etc/hosts, as this Podman understands them. */
  readonly hosts: Readonly<Record<string, string>> | undefined
  open(secret: Sealed): string
}

export function specgen(spec: SettledContainer, given: Ingredients): JsonRecord {
  return {
    ...processOf(spec, given),
    ...placeOf(spec, given.hosts),
    ...limitsOf(spec),
    ...lifeOf(spec),
    ...storageOf(spec, given),
  }
}

function processOf(spec: SettledContainer, given: Ingredients): JsonRecord {
  const env = Object.entries(spec.env).map(([name, value]) => [
    name,
    isSealed(value) ? given.open(value) : value,
  ])
  return present({
    name: given.name,
    image: spec.image,
    labels: given.labels,
    entrypoint: spec.command,
    command: spec.args,
    env: Object.fromEntries(env),
    secret_env: spec.secretEnv,
    work_dir: given.folder,
    user: given.user,
    groups: spec.groups,
    privileged: spec.privileged,
    cap_add: spec.capabilitiesAdd,
    cap_drop: spec.capabilitiesDrop,
    read_only_filesystem: spec.readOnlyRootFilesystem,
    sysctl: spec.sysctl,
    devices: spec.devices?.map(({ host, container, permissions }) => ({
      path: `${host}:${container}:${permissions}`,
    })),
  })
}

/** In a pod the network, its names and its ports are the pod's. */
function placeOf(spec: SettledContainer, hosts: Ingredients['hosts']): JsonRecord {
  if (spec.pod !== undefined) return present({ pod: spec.pod, init_container_type: initType(spec) })
  return present({
    netns: spec.networks.length === 0 ? undefined : { nsmode: 'bridge' },
    Networks: spec.networks.length === 0 ? undefined : attachments(spec.networks),
    portmappings: spec.ports.length === 0 ? undefined : portMappings(spec.ports),
    hostname: spec.hostname,
    hostadd: hosts && Object.entries(hosts).map(([host, address]) => `${host}:${address}`),
  })
}

/** Podman removes a `once` container when it has run: its trace would be gone, so we run those ourselves. */
function initType(spec: SettledContainer): string | undefined {
  return spec.init === 'always' ? 'always' : undefined
}

export function attachments(networks: readonly AttachmentSpec[]): JsonRecord {
  return Object.fromEntries(networks.map(({ network, aliases }) => [network, { aliases }]))
}

export function portMappings(ports: readonly PortSpec[]): readonly JsonRecord[] {
  return ports.map(({ hostPort, containerPort, protocol, hostIP }) => ({
    container_port: containerPort,
    host_port: hostPort,
    protocol,
    ...(hostIP === undefined ? {} : { host_ip: hostIP }),
  }))
}

const cpuPeriod = 100_000

function limitsOf(spec: ContainerSpec | SettledContainer): JsonRecord {
  const { memory, memoryReservation, cpu, cpuReservation, ulimits } = spec
  const memoryLimits = present({
    limit: memory === undefined ? undefined : bytesOf(memory),
    reservation: memoryReservation === undefined ? undefined : bytesOf(memoryReservation),
  })
  const cpuLimits = present({
    quota: cpu === undefined ? undefined : Math.round(cpusOf(cpu) * cpuPeriod),
    period: cpu === undefined ? undefined : cpuPeriod,
    shares:
      cpuReservation === undefined
        ? undefined
        : Math.max(2, Math.round(cpusOf(cpuReservation) * 1024)),
  })
  const limits = present({
    memory: isEmpty(memoryLimits) ? undefined : memoryLimits,
    cpu: isEmpty(cpuLimits) ? undefined : cpuLimits,
  })
  return present({
    resource_limits: isEmpty(limits) ? undefined : limits,
    r_limits:
      ulimits && Object.entries(ulimits).map(([type, { soft, hard }]) => ({ type, soft, hard })),
  })
}

function lifeOf(spec: SettledContainer): JsonRecord {
  const { stopSignal, stopTimeoutSeconds, logging, health } = spec
  return present({
    // an init container runs to its end; Podman allows it no restart
    restart_policy: spec.init === undefined ? spec.restartPolicy : 'no',
    stop_signal: stopSignal === undefined ? undefined : signalNumber(stopSignal),
    stop_timeout: stopTimeoutSeconds,
    log_configuration: logging === undefined ? undefined : loggingOf(logging),
    healthconfig: health === undefined ? undefined : healthOf(health),
  })
}

/** Podman takes two of a log's options apart from the others. */
function loggingOf({ driver, options }: NonNullable<ContainerSpec['logging']>): JsonRecord {
  const { 'max-size': size, path, ...rest } = options
  return present({
    driver,
    size: size === undefined ? undefined : bytesOf(size),
    path,
    options: Object.keys(rest).length === 0 ? undefined : rest,
  })
}

/** Nothing is left to defaults: 4.3 takes an absent time limit for one of zero. */
function healthOf(health: HealthSpec): JsonRecord {
  const nanoseconds = (seconds: number): number => seconds * 1_000_000_000
  return {
    Test: health.test,
    Interval: nanoseconds(health.intervalSeconds),
    Timeout: nanoseconds(health.timeoutSeconds),
    StartPeriod: nanoseconds(health.startPeriodSeconds),
    Retries: health.retries,
  }
}

export function signalNumber(name: string): number | undefined {
  if (/^\d+$/.test(name)) return Number(name)
  const full = name.toUpperCase().startsWith('SIG')
    ? name.toUpperCase()
    : `SIG${name.toUpperCase()}`
  return Object.entries(constants.signals).find(([signal]) => signal === full)?.[1]
}

/** Files of secrets are readable for whoever the process runs as: it is alone in there. */
function storageOf(spec: SettledContainer, given: Ingredients): JsonRecord {
  return present({
    mounts: given.mounts.mounts,
    volumes: given.mounts.volumes,
    secrets: spec.secretFiles.map(({ object, target }) => ({
      Source: object,
      Target: target,
      Mode: 0o444,
    })),
  })
}

function isEmpty(record: JsonRecord): boolean {
  return Object.keys(record).length === 0
}

function present(fields: Readonly<Record<string, Json | undefined>>): JsonRecord {
  const set = Object.entries(fields)
  return Object.fromEntries(set.filter((field): field is [string, Json] => field[1] !== undefined))
}
