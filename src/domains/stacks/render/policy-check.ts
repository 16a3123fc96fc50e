/** Holds the merged model against the policy: whatever include, extends or an override brought in is in it. */
import { normalize } from 'node:path/posix'
import { recordOf, recordsOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { isBelow, type Policy, type Ruling } from '#model/policy.ts'
import { servicesOf, type Path, type Stage } from './stage.ts'
import type { Finding } from './unsupported.ts'

export function policyFindings(stage: Stage): readonly Finding[] {
  return servicesOf(stage).flatMap(([name, service]) =>
    [...asks(stage, service)].flatMap(({ rule, path, what }) =>
      finding(stage.input.policy, rule, ['services', name, ...path], `${name}: ${what}`),
    ),
  )
}

type Rule = Exclude<keyof Policy, 'allowedRoots'>
type Ask = { readonly rule: Rule; readonly path: Path; readonly what: string }

function finding(policy: Policy, rule: Rule, path: Path, what: string): readonly Finding[] {
  const ruling: Ruling = policy[rule]
  if (ruling === 'allow') return []
  const isError = ruling === 'deny'
  const message = isError ? `${what} is denied by the policy` : `${what}: the policy warns of it`
  const suggestion = `take it out, or let the operator allow ${rule}`
  return [{ path, isError, code: 'denied', message, suggestion }]
}

function* asks(stage: Stage, service: JsonRecord): Iterable<Ask> {
  if (service['privileged'] === true) {
    yield { rule: 'privileged', path: ['privileged'], what: 'privileged' }
  }
  for (const key of ['post_start', 'pre_stop'] as const) {
    const index = recordsOf(service[key]).findIndex((hook) => hook['privileged'] === true)
    if (index >= 0) yield { rule: 'privileged', path: [key, index], what: `privileged ${key} hook` }
  }
  for (const key of ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup'] as const) {
    const mode = textOf(service[key])
    if (mode === 'host' || mode.startsWith('container:')) {
      yield { rule: 'hostNamespaces', path: [key], what: `${key}: ${mode}` }
    }
  }
  for (const capability of textsOf(service['cap_add'])) {
    yield { rule: 'capabilities', path: ['cap_add'], what: `cap_add ${capability}` }
  }
  for (const option of textsOf(service['security_opt'])) {
    if (!/unconfined|disable|systempaths/.test(option)) continue
    yield { rule: 'unconfined', path: ['security_opt'], what: `security_opt ${option}` }
  }
  yield* devices(service)
  yield* binds(stage, service)
}

function* devices(service: JsonRecord): Iterable<Ask> {
  for (const [index, { source }] of recordsOf(service['devices']).entries()) {
    yield { rule: 'devices', path: ['devices', index], what: `device ${textOf(source)}` }
  }
  for (const rule of textsOf(service['device_cgroup_rules'])) {
    yield { rule: 'devices', path: ['device_cgroup_rules'], what: `device rule ${rule}` }
  }
  const { resources } = recordOf(service['deploy'])
  const reserved = recordsOf(recordOf(recordOf(resources)['reservations'])['devices'])
  if (reserved.length > 0 || recordsOf(service['gpus']).length > 0) {
    yield { rule: 'devices', path: ['gpus'], what: 'a reserved device' }
  }
}

const sockets = /\/(docker|podman|containerd|crio)\.sock$/

/** Local volumes can be binds in disguise: `driver_opts: { type: none, o: bind, device: /etc }`. */
function* binds({ input, root: own, model }: Stage, service: JsonRecord): Iterable<Ask> {
  const roots = [own, ...input.policy.allowedRoots]
  for (const [index, volume] of recordsOf(service['volumes']).entries()) {
    const source = textOf(volume['source'])
    const named = recordOf(recordOf(recordOf(model['volumes'])[source])['driver_opts'])
    const path = volume['type'] === 'bind' ? source : textOf(named['device'])
    if (!path.startsWith('/')) continue
    const where: Path = ['volumes', index]
    const tidy = normalize(path).replace(/(.)\/+$/, '$1')
    const reaches = ['/', '/run', '/var', '/var/run'].includes(tidy)
    if (sockets.test(tidy) || reaches) {
      yield { rule: 'engineSocket', path: where, what: `a mount of ${path}` }
    }
    if (!roots.some((root) => isBelow(path, root))) {
      yield { rule: 'outsideBinds', path: where, what: `a mount of ${path}` }
    }
  }
}
