/** The podman command that a person would type for a container, with secrets left out. */
import { mask } from '#model/secret-shapes.ts'
import { isLater, isSealed, mapValue } from '#model/value.ts'
import { containerSpecOf } from '../spec-of.ts'
import type { ContainerSpec, PortSpec } from '../spec.ts'

export function createCommand(name: string, container: ContainerSpec): string {
  const spec = shownSpec(container)
  const flags: (string | undefined)[] = [
    `--name ${name}`,
    spec.pod === undefined
      ? undefined
      : `--pod ${isLater(spec.pod) ? nameIn(spec.pod.from) : String(spec.pod)}`,
    ...spec.networks.map(
      ({ network, aliases }) => `--network ${network}${aliases.map((a) => `:alias=${a}`).join('')}`,
    ),
    ...spec.ports.map((port) => `-p ${portText(port)}`),
    ...Object.entries(spec.env).map(
      ([name, value]) =>
        `-e ${name}=${isSealed(value) ? mask : value === mask ? mask : quoted(value)}`,
    ),
    ...spec.mounts.map(({ from, path, readOnly }) => mountText(from, path, readOnly)),
    ...Object.keys(spec.secretEnv).map((variable) => `--secret …,type=env,target=${variable}`),
    ...spec.secretFiles.map(({ target }) => `--secret …,target=${target}`),
    flag('--user', spec.user),
    flag('--workdir', spec.workingDir),
    flag('--hostname', spec.hostname),
    flag('--memory', spec.memory),
    flag('--memory-reservation', spec.memoryReservation),
    flag('--cpus', spec.cpu),
    spec.privileged === true ? '--privileged' : undefined,
    spec.readOnlyRootFilesystem === true ? '--read-only' : undefined,
    ...(spec.capabilitiesAdd ?? []).map((name) => `--cap-add ${name}`),
    ...(spec.capabilitiesDrop ?? []).map((name) => `--cap-drop ${name}`),
    `--restart ${spec.restartPolicy}`,
    spec.command === undefined ? undefined : `--entrypoint ${quoted(JSON.stringify(spec.command))}`,
    spec.image,
    ...(spec.args ?? []).map(quoted),
  ]
  return `podman create ${flags.filter((part) => part !== undefined).join(' ')}`
}

/** With a mask where a text is sealed. */
function shownSpec(spec: ContainerSpec): ContainerSpec {
  return containerSpecOf(mapValue(spec, (leaf) => (isSealed(leaf) ? mask : leaf)))
}

export function portText(port: PortSpec): string {
  const host = port.hostIP === undefined ? '' : `${port.hostIP}:`
  const from = port.hostPort === 0 ? '' : `${port.hostPort}:`
  return `${host}${from}${port.containerPort}${port.protocol === 'tcp' ? '' : `/${port.protocol}`}`
}

function nameIn(ref: string): string {
  return ref.slice(ref.indexOf('/') + 1)
}

function flag(name: string, value: string | undefined): string | undefined {
  return value === undefined ? undefined : `${name} ${quoted(value)}`
}

function mountText(
  from: ContainerSpec['mounts'][number]['from'],
  path: string,
  readOnly: boolean,
): string {
  const end = readOnly ? ':ro' : ''
  if (from.kind === 'memory')
    return `--tmpfs ${path}${from.size === undefined ? '' : `:size=${from.size}`}`
  return `-v ${from.kind === 'named' ? from.volume : from.path}:${path}${end}`
}

function quoted(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", `'\\''`)}'`
}
