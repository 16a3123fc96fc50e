/** The docker command that a person would type for a container, with secrets left out. */
import { textsOf } from '#model/read-json.ts'
import type { Value } from '#model/value.ts'
import { hostPortsOf } from '../host-ports.ts'
import { shownText, shownTexts } from '#domains/containers/sealed-text.ts'
import type { MountSpec, ServiceSpec } from '../spec.ts'
import { fieldsOf } from './operation.ts'

export function createCommand(name: string, spec: ServiceSpec): string {
  const { service } = spec
  const flags = [
    `--name ${name}`,
    ...spec.networks.map(({ network }) => `--network ${network}`),
    ...hostPortsOf(spec).map(portText),
    ...Object.entries(fieldsOf(service.environment)).map(
      ([variable, value]) => `-e ${variable}=${valueText(value)}`,
    ),
    ...spec.mounts.map(mountText),
    ...flag('--user', service.user),
    ...flag('--workdir', service.working_dir),
    ...flag('--restart', service.restart),
    ...(service.privileged === true ? ['--privileged'] : []),
    ...textsOf(service.cap_add).map((capability) => `--cap-add ${capability}`),
    ...flag('--memory', service.mem_limit ?? service.deploy?.resources?.limits?.memory),
    spec.image,
    ...shownTexts(service.command).map(quoted),
  ]
  return `docker create ${flags.join(' ')}`
}

function portText({
  hostIP,
  range,
  containerPort,
  protocol,
}: ReturnType<typeof hostPortsOf>[number]): string {
  const host = hostIP === '' ? '' : `${hostIP}:`
  const from = range === '' ? '' : `${range}:`
  return `-p ${host}${from}${containerPort}${protocol === 'tcp' ? '' : `/${protocol}`}`
}

function valueText(value: Value): string {
  return quoted(shownText(value))
}

function flag(name: string, value: Value | undefined): readonly string[] {
  return typeof value === 'string' ? [`${name} ${quoted(value)}`] : []
}

function mountText({ from, target, readOnly }: MountSpec): string {
  const end = readOnly ? ':ro' : ''
  switch (from.kind) {
    case 'tmpfs':
      return `--tmpfs ${target}`
    case 'image':
      return `--mount type=image,source=${from.image},target=${target}`
    case 'bind':
      return `-v ${from.path}:${target}${end}`
    case 'volume':
      return `-v ${from.volume === '' ? '' : `${from.volume}:`}${target}${end}`
  }
}

function quoted(text: string): string {
  return /^[\w@%+=:,./*-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
