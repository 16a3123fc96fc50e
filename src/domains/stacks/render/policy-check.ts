/** Holds the merged model against the policy: whatever include, extends or an override brought in is in it. */
import { recordOf, recordsOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import { asksOfPath, asksOfVolume, judge, type Ask } from '#model/policy.ts'
import { servicesOf, type Path, type Stage } from './stage.ts'
import type { Finding } from './finding.ts'

export function policyFindings(stage: Stage): readonly Finding[] {
  return servicesOf(stage).flatMap(([name, service]) =>
    [...asks(stage, service)].flatMap(({ rule, path, what }) => {
      const judged = judge(stage.input.policy, { rule, what: `${name}: ${what}` })
      if (judged === undefined) return []
      const { isDenied: isError, message, suggestion } = judged
      return [{ path: ['services', name, ...path], isError, code: 'denied', message, suggestion }]
    }),
  )
}

type PlacedAsk = Ask & { readonly path: Path }

function* asks(stage: Stage, service: JsonRecord): Iterable<PlacedAsk> {
  if (service['privileged'] === true) {
    yield { rule: 'privileged', path: ['privileged'], what: 'privileged' }
  }
  for (const key of ['post_start', 'pre_stop'] as const) {
    const index = recordsOf(service[key]).findIndex((hook) => hook['privileged'] === true)
    if (index >= 0) yield { rule: 'privileged', path: [key, index], what: `privileged ${key} hook` }
  }
  yield* namespaces(stage, service)
  for (const capability of textsOf(service['cap_add'])) {
    yield { rule: 'capabilities', path: ['cap_add'], what: `cap_add ${capability}` }
  }
  for (const option of textsOf(service['security_opt']).filter(loosens)) {
    yield { rule: 'unconfined', path: ['security_opt'], what: `security_opt ${option}` }
  }
  yield* devices(service)
  yield* mounts(stage, service)
}

/** A profile of one's own may allow everything: only what engines have by default, or less, needs no leave. */
function loosens(option: string): boolean {
  return !/^(no-new-privileges|mask[=:]|(seccomp|apparmor)[=:](builtin|docker-default)$)/.test(
    option,
  )
}

const ofOthers = /^(host$|container:|ns:)/

function* namespaces({ model }: Stage, service: JsonRecord): Iterable<PlacedAsk> {
  const rule = 'hostNamespaces'
  for (const key of ['network_mode', 'pid', 'ipc', 'uts', 'userns_mode', 'cgroup'] as const) {
    const mode = textOf(service[key])
    if (ofOthers.test(mode)) yield { rule, path: [key], what: `${key}: ${mode}` }
  }
  for (const key of Object.keys(recordOf(service['networks']))) {
    const name = textOf(recordOf(recordOf(model['networks'])[key])['name'])
    if (ofOthers.test(name)) yield { rule, path: ['networks', key], what: `network ${name}` }
  }
  const network = textOf(recordOf(service['build'])['network'])
  if (ofOthers.test(network)) {
    yield { rule, path: ['build', 'network'], what: `build.network: ${network}` }
  }
}

function* devices(service: JsonRecord): Iterable<PlacedAsk> {
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

function* mounts({ input, root, model }: Stage, service: JsonRecord): Iterable<PlacedAsk> {
  const roots = [root, ...input.policy.allowedRoots]
  const volumes = recordOf(model['volumes'])
  for (const [index, volume] of recordsOf(service['volumes']).entries()) {
    const source = textOf(volume['source'])
    const { driver, driver_opts: options } = recordOf(volumes[source])
    const found =
      volume['type'] === 'bind'
        ? asksOfPath(source, roots)
        : asksOfVolume(textOf(driver), textMapOf(options), roots)
    for (const ask of found) yield { ...ask, path: ['volumes', index] }
  }
  for (const [index, from] of textsOf(service['volumes_from']).entries()) {
    if (!from.startsWith('container:')) continue
    const path = ['volumes_from', index]
    yield {
      rule: 'outsideBinds',
      path,
      what: `volumes of ${from.split(':').slice(0, 2).join(':')}`,
    }
  }
}
