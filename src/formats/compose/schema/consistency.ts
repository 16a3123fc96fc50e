/** What only the whole project shows: names that lead nowhere, settings that contradict each other, dependencies in a circle. */
import { problemAt, throwIfAny, type ComposeProblem } from '../compose-error.ts'
import { checkCircles } from './dependency-circles.ts'
import { each, type Project } from '../project.ts'
import type { PlaceOf } from '../load/locate.ts'
import type { Service } from './file.ts'
import { didYouMean } from './suggest.ts'
import { defined } from '#model/defined.ts'

/** All problems at once. The project comes back with `scale` carried over to `deploy.replicas`. */
export function checkConsistency(project: Project, placeOf: PlaceOf): Project {
  const problems: ComposeProblem[] = []
  for (const [name, service] of Object.entries(project.services)) {
    const report: Report = (keys, message, suggestion) =>
      problems.push(
        problemAt(placeOf(['services', name, ...keys]), `services.${name}: ${message}`, suggestion),
      )
    checkBuild(service, project, report)
    checkReferences(service, project, report)
    checkLimits(service, report)
    checkScale(service, report)
    checkRest(service, report)
    checkMounts(service, report)
  }
  for (const [name, { external, file, environment }] of Object.entries(project.secrets)) {
    if (external === true || file !== undefined || environment !== undefined) continue
    const message = `secrets.${name} has no source`
    problems.push(problemAt(placeOf(['secrets', name]), message, 'set file or environment'))
  }
  throwIfAny(problems)
  checkCircles(project, placeOf)
  return withReplicas(project)
}

type Report = (keys: readonly (string | number)[], message: string, suggestion?: string) => void

function checkBuild(service: Service, project: Project, report: Report): void {
  const { build, image = '', platform = '' } = service
  if (build === undefined) {
    if (image === '' && service.provider === undefined) {
      report([], 'there is neither an image nor a build', 'add image: or build:')
    }
    return
  }
  const { dockerfile = '', dockerfile_inline: inline = '', platforms = [] } = build
  if (dockerfile !== '' && inline !== '') {
    report(['build'], 'dockerfile and dockerfile_inline exclude each other', 'keep one')
  }
  for (const [key, context] of Object.entries(build.additional_contexts ?? {})) {
    if (!context.startsWith('service:')) continue
    const target = context.slice('service:'.length)
    const other = Object.hasOwn(project.services, target) ? project.services[target] : undefined
    const keys = ['build', 'additional_contexts', key]
    if (other === undefined)
      report(keys, `the additional context ${key} is the unknown service "${target}"`)
    else if (other.build === undefined)
      report(keys, `the additional context ${key} is the service "${target}", which has no build`)
  }
  if (platform !== '' && platforms.length > 0 && !platforms.includes(platform)) {
    report(
      ['build', 'platforms'],
      `build.platforms does not include the platform "${platform}"`,
      'add it',
    )
  }
}

function checkReferences(service: Service, project: Project, report: Report): void {
  const unknown = (kind: string, name: string, known: object, keys: readonly (string | number)[]) =>
    report(
      keys,
      `the ${kind} "${name}" is not defined`,
      didYouMean(name, Object.keys(known)) ?? `define it under ${kind}s:`,
    )
  const networks = Object.keys(service.networks ?? {})
  if ((service.network_mode ?? '') !== '' && networks.length > 0) {
    report(['network_mode'], 'network_mode and networks exclude each other', 'keep one')
  }
  for (const name of networks) {
    if (!Object.hasOwn(project.networks, name))
      unknown('network', name, project.networks, ['networks', name])
  }
  for (const [name, dependency] of Object.entries(service.depends_on ?? {})) {
    if (Object.hasOwn(project.services, name)) continue
    const isDisabled = Object.hasOwn(project.disabled, name)
    if (isDisabled && !dependency.required) continue
    const advice = isDisabled
      ? `it has inactive profiles: ${disabledProfiles(project, name)}`
      : undefined
    report(
      ['depends_on', name],
      `it depends on the undefined service "${name}"`,
      advice ?? didYouMean(name, Object.keys(project.services)),
    )
  }
  for (const [index, { type, source = '' }] of (service.volumes ?? []).entries()) {
    if (type !== 'volume' || source === '' || Object.hasOwn(project.volumes, source)) continue
    unknown('volume', source, project.volumes, ['volumes', index])
  }
  for (const kind of ['config', 'secret'] as const) {
    const known = project[`${kind}s`]
    for (const [index, { source = '' }] of (service[`${kind}s`] ?? []).entries()) {
      if (!Object.hasOwn(known, source)) unknown(kind, source, known, [`${kind}s`, index])
    }
  }
  for (const [index, { source = '' }] of (service.build?.secrets ?? []).entries()) {
    if (!Object.hasOwn(project.secrets, source))
      unknown('secret', source, project.secrets, ['build', 'secrets', index])
  }
  for (const name of Object.keys(service.models ?? {})) {
    if (!Object.hasOwn(project.models, name))
      unknown('model', name, project.models, ['models', name])
  }
}

function disabledProfiles(project: Project, name: string): string {
  return (project.disabled[name]?.profiles ?? []).join(', ')
}

/** The old key and the one under `deploy` must agree as soon as both sections are there. */
function checkLimits(service: Service, report: Report): void {
  if (service.deploy === undefined) return
  const { limits, reservations } = service.deploy.resources
  const pairs = [
    ['cpus', limits, 'limits', 'cpus'],
    ['mem_limit', limits, 'limits', 'memory'],
    ['mem_reservation', reservations, 'reservations', 'memory'],
    ['pids_limit', limits, 'limits', 'pids'],
  ] as const
  for (const [key, section, name, other] of pairs) {
    const own = service[key]
    if (own === undefined || section === undefined || section[other] === own) continue
    report(
      [key],
      `${key} and deploy.resources.${name}.${other} differ`,
      'set one of them, or both to the same',
    )
  }
}

function checkScale(service: Service, report: Report): void {
  const { scale } = service
  const replicas = service.deploy?.replicas
  if (scale !== undefined && replicas !== undefined && scale !== replicas) {
    report(['scale'], 'scale and deploy.replicas differ', 'set one of them')
  }
  if (scale !== undefined && scale < 0) report(['scale'], 'scale must be at least 0')
  if (replicas !== undefined && replicas < 0)
    report(['deploy', 'replicas'], 'deploy.replicas must be at least 0')
  const count = scale ?? replicas ?? 1
  if (count > 1 && (service.container_name ?? '') !== '') {
    report(
      ['container_name'],
      `container_name cannot be given to ${count} containers`,
      'remove it, or run one container',
    )
  }
}

function checkRest(service: Service, report: Report): void {
  const [first] = service.healthcheck?.test ?? []
  if (first !== undefined && !['CMD', 'CMD-SHELL', 'NONE'].includes(first)) {
    report(
      ['healthcheck', 'test'],
      'healthcheck.test as a list must start with CMD, CMD-SHELL or NONE',
    )
  }
  for (const [index, { target = '', action }] of (service.develop?.watch ?? []).entries()) {
    if (target !== '' || action === 'rebuild' || action === 'restart') continue
    const path = ['develop', 'watch', index]
    report(path, `develop.watch needs a target for the action ${action}`)
  }
}

function checkMounts(service: Service, report: Report): void {
  const mounts = new Set<string>()
  const add = (target: string, keys: readonly (string | number)[]) => {
    if (mounts.has(target)) report(keys, `something is already mounted at ${target}`)
    mounts.add(target)
  }
  for (const [index, item] of (service.tmpfs ?? []).entries()) {
    add(defined(item.split(':', 1)[0]), ['tmpfs', index])
  }
  for (const [index, { target = '' }] of (service.volumes ?? []).entries()) {
    add(target, ['volumes', index])
  }
}

function withReplicas(project: Project): Project {
  const services = each(project.services, (service) => {
    const { scale, deploy } = service
    if (scale === undefined || deploy === undefined) return service
    return { ...service, deploy: { ...deploy, replicas: scale } }
  })
  return { ...project, services }
}
