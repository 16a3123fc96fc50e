/** What a service asks of its host beside mounts and networks: rights, devices, runtimes, logs. */
import type { Service } from '#formats/compose/schema/file.ts'
import {
  asksOfCapability,
  asksOfLabels,
  asksOfLimits,
  asksOfLogging,
  asksOfParameters,
  asksOfStorage,
} from '#model/engine-option-rules.ts'
import { asksOfImage } from '#model/image-name-rules.ts'
import type { PlacedAsk } from './policy-ask.ts'

export function* serviceAsks(service: Service): Iterable<PlacedAsk> {
  if (service.privileged === true) {
    yield { rule: 'privileged', path: ['privileged'], what: 'privileged' }
  }
  for (const key of ['post_start', 'pre_stop'] as const) {
    const index = (service[key] ?? []).findIndex((hook) => hook.privileged === true)
    if (index >= 0) yield { rule: 'privileged', path: [key, index], what: `privileged ${key} hook` }
  }
  for (const name of service.cap_add ?? []) {
    yield { ...asksOfCapability(name, 'cap_add'), path: ['cap_add'] }
  }
  yield* images(service)
  yield* confinement(service)
  yield* devices(service)
  const { driver = '', options = {} } = service.logging ?? {}
  for (const ask of asksOfLogging(driver, options)) {
    yield { ...ask, path: ['logging'] }
  }
}

/** Whatever an engine would look for by its name. */
function* images({ image = '', build, volumes = [] }: Service): Iterable<PlacedAsk> {
  const named = [
    { name: image, path: ['image'] },
    ...(build?.tags ?? []).map((name) => ({ name, path: ['build', 'tags'] })),
    ...(build?.cache_from ?? []).map((name) => ({ name, path: ['build', 'cache_from'] })),
    ...volumes.flatMap(({ type, source: name = '' }, index) =>
      type === 'image' ? [{ name, path: ['volumes', index] }] : [],
    ),
  ]
  for (const { name, path } of named) {
    if (name === '') continue
    for (const ask of asksOfImage(name)) yield { ...ask, path }
  }
}

function* confinement(service: Service): Iterable<PlacedAsk> {
  if ((service.group_add ?? []).some((group) => String(group) === 'keep-groups')) {
    yield { rule: 'unconfined', path: ['group_add'], what: 'group_add keep-groups' }
  }
  for (const option of (service.security_opt ?? []).filter(loosens)) {
    yield { rule: 'unconfined', path: ['security_opt'], what: `security_opt ${option}` }
  }
  const parent = service.cgroup_parent ?? ''
  if (parent !== '') {
    yield { rule: 'unconfined', path: ['cgroup_parent'], what: `cgroup_parent ${parent}` }
  }
  const score = service.oom_score_adj ?? 0
  if (score < 0) {
    yield { rule: 'unconfined', path: ['oom_score_adj'], what: `oom_score_adj ${score}` }
  }
  const { cpu_rt_runtime: realTime, cpu_rt_period: period } = service
  if (realTime !== undefined || period !== undefined) {
    yield { rule: 'unconfined', path: ['cpu_rt_runtime'], what: 'time before all others' }
  }
  for (const ask of asksOfParameters(Object.keys(service.sysctls ?? {}))) {
    yield { ...ask, path: ['sysctls'] }
  }
  for (const ask of asksOfLimits(Object.keys(service.ulimits ?? {}))) {
    yield { ...ask, path: ['ulimits'] }
  }
  for (const ask of asksOfStorage(Object.keys(service.storage_opt ?? {}))) {
    yield { ...ask, path: ['storage_opt'] }
  }
  if (service.oom_kill_disable === true) {
    yield { rule: 'unconfined', path: ['oom_kill_disable'], what: 'oom_kill_disable' }
  }
  const runtime = service.runtime ?? ''
  if (runtime !== '') yield { rule: 'runtimes', path: ['runtime'], what: `runtime ${runtime}` }
  for (const name of Object.keys(service.annotations ?? {})) {
    yield { rule: 'runtimes', path: ['annotations', name], what: `annotation ${name}` }
  }
  for (const ask of asksOfLabels(Object.keys(service.labels ?? {}))) {
    yield { ...ask, path: ['labels'] }
  }
}

/**
 * A profile of one's own may allow everything: only what engines have by default, or less, needs no leave. An operator may have given
 * the engine `no-new-privileges` for all containers, which `:false` takes back.
 */
function loosens(option: string): boolean {
  return !/^(no-new-privileges([=:]true)?$|mask[=:]|(seccomp|apparmor)[=:](builtin|docker-default)$)/.test(
    option,
  )
}

function* devices(service: Service): Iterable<PlacedAsk> {
  for (const [index, { source = '' }] of (service.devices ?? []).entries()) {
    yield { rule: 'devices', path: ['devices', index], what: `device ${source}` }
  }
  for (const rule of service.device_cgroup_rules ?? []) {
    yield { rule: 'devices', path: ['device_cgroup_rules'], what: `device rule ${rule}` }
  }
  const reserved = service.deploy?.resources.reservations?.devices ?? []
  if (reserved.length > 0 || (service.gpus ?? []).length > 0) {
    yield { rule: 'devices', path: ['gpus'], what: 'a reserved device' }
  }
}
