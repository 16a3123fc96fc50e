/** What a service asks of its host beside mounts and networks: rights, devices, runtimes, logs. */
import { recordOf, recordsOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import { asksOfCapability, asksOfLogging } from '#model/policy-words.ts'
import type { JsonRecord } from '#model/json.ts'
import type { PlacedAsk } from './policy-ask.ts'

export function* serviceAsks(service: JsonRecord): Iterable<PlacedAsk> {
  if (service['privileged'] === true) {
    yield { rule: 'privileged', path: ['privileged'], what: 'privileged' }
  }
  for (const key of ['post_start', 'pre_stop'] as const) {
    const index = recordsOf(service[key]).findIndex((hook) => hook['privileged'] === true)
    if (index >= 0) yield { rule: 'privileged', path: [key, index], what: `privileged ${key} hook` }
  }
  for (const name of textsOf(service['cap_add'])) {
    yield { ...asksOfCapability(name, 'cap_add'), path: ['cap_add'] }
  }
  yield* confinement(service)
  yield* devices(service)
  for (const ask of asksOfLogging(
    textOf(recordOf(service['logging'])['driver']),
    textMapOf(recordOf(service['logging'])['options']),
  )) {
    yield { ...ask, path: ['logging'] }
  }
}

function* confinement(service: JsonRecord): Iterable<PlacedAsk> {
  for (const option of textsOf(service['security_opt']).filter(loosens)) {
    yield { rule: 'unconfined', path: ['security_opt'], what: `security_opt ${option}` }
  }
  const parent = textOf(service['cgroup_parent'])
  if (parent !== '') {
    yield { rule: 'unconfined', path: ['cgroup_parent'], what: `cgroup_parent ${parent}` }
  }
  const score = Number(service['oom_score_adj'] ?? 0)
  if (score < 0) {
    yield { rule: 'unconfined', path: ['oom_score_adj'], what: `oom_score_adj ${score}` }
  }
  if (service['oom_kill_disable'] === true) {
    yield { rule: 'unconfined', path: ['oom_kill_disable'], what: 'oom_kill_disable' }
  }
  const runtime = textOf(service['runtime'])
  if (runtime !== '') yield { rule: 'runtimes', path: ['runtime'], what: `runtime ${runtime}` }
  for (const name of Object.keys(textMapOf(service['annotations']))) {
    yield { rule: 'runtimes', path: ['annotations', name], what: `annotation ${name}` }
  }
}

/** A profile of one's own may allow everything: only what engines have by default, or less, needs no leave. */
function loosens(option: string): boolean {
  return !/^(no-new-privileges|mask[=:]|(seccomp|apparmor)[=:](builtin|docker-default)$)/.test(
    option,
  )
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
