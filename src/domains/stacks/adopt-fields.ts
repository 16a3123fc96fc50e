/** What differs between a container that docker compose made and what is declared now, in the words of the file. */
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import { isRecord } from '#model/json.ts'
import { isSealed, type Value } from '#model/value.ts'
import type { Vault } from '#model/vault.ts'
import { hostPortsOf } from './host-ports.ts'
import { restartPolicyOf } from './operate/restart-policy.ts'
import { restartText } from './settings.ts'
import type { ServiceSpec } from './spec.ts'

/** Empty when nothing is found that a person would recognise. Values of variables may be secrets: only names are told. */
export function otherFields(about: unknown, spec: ServiceSpec, vault: Vault): readonly string[] {
  const told = recordOf(about)
  const [config, host] = [recordOf(told['Config']), recordOf(told['HostConfig'])]
  return [
    ...otherText('image', config['Image'], spec.image),
    ...otherText('user', config['User'], spec.service.user),
    ...otherText('working_dir', config['WorkingDir'], spec.service.working_dir),
    ...otherText('hostname', config['Hostname'], spec.service.hostname),
    ...otherList('command', config['Cmd'], spec.service.command),
    ...otherList('entrypoint', config['Entrypoint'], spec.service.entrypoint),
    ...otherVariables(config['Env'], spec, vault),
    ...otherPorts(host['PortBindings'], spec),
    ...otherMounts(told['Mounts'], spec),
    ...otherRestart(host['RestartPolicy'], spec),
  ]
}

/** What the file does not say, the image or the engine chose. */
function otherText(field: string, live: unknown, wanted: Value | undefined): readonly string[] {
  if (typeof wanted !== 'string' || wanted === textOf(live)) return []
  return [`${field} (it has ${textOf(live) || 'none'})`]
}

function otherList(field: string, live: unknown, wanted: Value | undefined): readonly string[] {
  if (!Array.isArray(wanted) || !wanted.every((item) => typeof item === 'string')) return []
  return JSON.stringify(textsOf(live)) === JSON.stringify(wanted) ? [] : [field]
}

function otherVariables(live: unknown, { service }: ServiceSpec, vault: Vault): readonly string[] {
  const has = new Map(
    textsOf(live).map((line) => {
      const [name = ''] = line.split('=', 1)
      return [name, line.slice(name.length + 1)] as const
    }),
  )
  const variables = service.environment
  const wanted = Object.entries(isRecord<Value>(variables) ? variables : {}).flatMap(
    ([name, value]) => {
      const text = isSealed(value) ? new TextDecoder().decode(vault.open(value)) : value
      return typeof text === 'string' ? [[name, text] as const] : []
    },
  )
  return wanted
    .filter(([name, text]) => has.get(name) !== text)
    .map(([name]) => `environment.${name}`)
}

function otherPorts(live: unknown, spec: ServiceSpec): readonly string[] {
  const wanted = hostPortsOf(spec).filter(({ hostPort }) => hostPort !== 0)
  const has = Object.entries(recordOf(live)).flatMap(([inside, bindings]) =>
    recordsOf(bindings).map((binding) => `${textOf(binding['HostPort'])}:${inside}`),
  )
  const texts = wanted.map((port) => `${port.hostPort}:${port.containerPort}/${port.protocol}`)
  const fixed = has.filter((text) => !text.startsWith(':') && !text.startsWith('0:'))
  const isSame = texts.every((text) => has.includes(text)) && fixed.length <= texts.length
  return isSame || (texts.length === 0 && hostPortsOf(spec).length > 0) ? [] : ['ports']
}

function otherMounts(live: unknown, { mounts }: ServiceSpec): readonly string[] {
  const has = new Map(
    recordsOf(live).map((mount) => [textOf(mount['Destination']), mount] as const),
  )
  return mounts.flatMap(({ target, from }) => {
    if (from.kind !== 'bind' && from.kind !== 'volume') return []
    const there = has.get(target)
    if (there === undefined) return [`volumes (nothing is at ${target})`]
    const source = textOf(there[from.kind === 'bind' ? 'Source' : 'Name'])
    const wanted = from.kind === 'bind' ? from.path : from.volume
    return wanted === '' || source === wanted ? [] : [`volumes (${source} is at ${target})`]
  })
}

function otherRestart(live: unknown, spec: ServiceSpec): readonly string[] {
  const has = restartText(recordOf(live))
  const wanted = restartText(recordOf(restartPolicyOf(spec)))
  return has === wanted ? [] : [`restart (it has ${has})`]
}
