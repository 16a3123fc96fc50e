/** What only the whole project shows: names that lead nowhere, settings that contradict each other, dependencies in a circle. */
import { problemAt, throwIfAny, type ComposeProblem } from './compose-error.ts'
import { checkCircles } from './dependency-circles.ts'
import type { Json, JsonObject } from './node.ts'
import { objectIn, objectsIn, textIn, textsIn, type Project } from './project.ts'
import type { PlaceOf } from './locate.ts'
import { didYouMean } from './suggest.ts'

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
  for (const [name, secret] of Object.entries(project.secrets)) {
    const { external, file, environment } = objectOf(secret)
    if (external === true || file !== undefined || environment !== undefined) continue
    const message = `secrets.${name} has no source`
    problems.push(problemAt(placeOf(['secrets', name]), message, 'set file or environment'))
  }
  throwIfAny(problems)
  checkCircles(project, placeOf)
  return withReplicas(project)
}

type Report = (keys: readonly (string | number)[], message: string, suggestion?: string) => void

function checkBuild(service: JsonObject, project: Project, report: Report): void {
  if (service.build === undefined) {
    if (textIn(service, 'image') === '' && service.provider === undefined) {
      report([], 'there is neither an image nor a build', 'add image: or build:')
    }
    return
  }
  const build = objectIn(service, 'build')
  if (textIn(build, 'dockerfile') !== '' && textIn(build, 'dockerfile_inline') !== '') {
    report(['build'], 'dockerfile and dockerfile_inline exclude each other', 'keep one')
  }
  for (const [key, context] of Object.entries(objectIn(build, 'additional_contexts'))) {
    if (typeof context !== 'string' || !context.startsWith('service:')) continue
    const target = context.slice('service:'.length)
    const other = Object.hasOwn(project.services, target) ? project.services[target] : undefined
    const keys = ['build', 'additional_contexts', key]
    if (other === undefined)
      report(keys, `the additional context ${key} is the unknown service "${target}"`)
    else if (other.build === undefined)
      report(keys, `the additional context ${key} is the service "${target}", which has no build`)
  }
  const platform = textIn(service, 'platform')
  const platforms = textsIn(build, 'platforms')
  if (platform !== '' && platforms.length > 0 && !platforms.includes(platform)) {
    report(
      ['build', 'platforms'],
      `build.platforms does not include the platform "${platform}"`,
      'add it',
    )
  }
}

function checkReferences(service: JsonObject, project: Project, report: Report): void {
  const unknown = (
    kind: string,
    name: string,
    known: JsonObject,
    keys: readonly (string | number)[],
  ) =>
    report(
      keys,
      `the ${kind} "${name}" is not defined`,
      didYouMean(name, Object.keys(known)) ?? `define it under ${kind}s:`,
    )
  const mode = textIn(service, 'network_mode')
  const networks = Object.keys(objectIn(service, 'networks'))
  if (mode !== '' && networks.length > 0) {
    report(['network_mode'], 'network_mode and networks exclude each other', 'keep one')
  }
  for (const name of networks) {
    if (!Object.hasOwn(project.networks, name))
      unknown('network', name, project.networks, ['networks', name])
  }
  for (const [name, dependency] of Object.entries(objectIn(service, 'depends_on'))) {
    if (Object.hasOwn(project.services, name)) continue
    const isDisabled = Object.hasOwn(project.disabled, name)
    if (isDisabled && objectOf(dependency).required === false) continue
    const advice = isDisabled
      ? `it has inactive profiles: ${disabledProfiles(project, name)}`
      : undefined
    report(
      ['depends_on', name],
      `it depends on the undefined service "${name}"`,
      advice ?? didYouMean(name, Object.keys(project.services)),
    )
  }
  for (const [index, volume] of objectsIn(service, 'volumes').entries()) {
    const source = textIn(volume, 'source')
    if (volume.type !== 'volume' || source === '' || Object.hasOwn(project.volumes, source))
      continue
    unknown('volume', source, project.volumes, ['volumes', index])
  }
  for (const kind of ['config', 'secret'] as const) {
    const known = project[`${kind}s`]
    for (const [index, mount] of objectsIn(service, `${kind}s`).entries()) {
      const source = textIn(mount, 'source')
      if (!Object.hasOwn(known, source)) unknown(kind, source, known, [`${kind}s`, index])
    }
  }
  for (const [index, mount] of objectsIn(objectIn(service, 'build'), 'secrets').entries()) {
    const source = textIn(mount, 'source')
    if (!Object.hasOwn(project.secrets, source))
      unknown('secret', source, project.secrets, ['build', 'secrets', index])
  }
  for (const name of Object.keys(objectIn(service, 'models'))) {
    if (!Object.hasOwn(project.models, name))
      unknown('model', name, project.models, ['models', name])
  }
}

function disabledProfiles(project: Project, name: string): string {
  return textsIn(project.disabled[name] ?? {}, 'profiles').join(', ')
}

/** The old key and the one under `deploy` must agree as soon as both sections are there. */
function checkLimits(service: JsonObject, report: Report): void {
  if (service.deploy === undefined) return
  const { limits, reservations } = objectIn(objectIn(service, 'deploy'), 'resources')
  const pairs = [
    ['cpus', limits, 'limits', 'cpus'],
    ['mem_limit', limits, 'limits', 'memory'],
    ['mem_reservation', reservations, 'reservations', 'memory'],
    ['pids_limit', limits, 'limits', 'pids'],
  ] as const
  for (const [key, section, name, other] of pairs) {
    if (
      service[key] === undefined ||
      section === undefined ||
      objectOf(section)[other] === service[key]
    )
      continue
    report(
      [key],
      `${key} and deploy.resources.${name}.${other} differ`,
      'set one of them, or both to the same',
    )
  }
}

function checkScale(service: JsonObject, report: Report): void {
  const { scale } = service
  const { replicas } = objectIn(service, 'deploy')
  if (scale !== undefined && replicas !== undefined && scale !== replicas) {
    report(['scale'], 'scale and deploy.replicas differ', 'set one of them')
  }
  if (typeof scale === 'number' && scale < 0) report(['scale'], 'scale must be at least 0')
  if (typeof replicas === 'number' && replicas < 0)
    report(['deploy', 'replicas'], 'deploy.replicas must be at least 0')
  const count = scale ?? replicas ?? 1
  if (typeof count === 'number' && count > 1 && textIn(service, 'container_name') !== '') {
    report(
      ['container_name'],
      `container_name cannot be given to ${count} containers`,
      'remove it, or run one container',
    )
  }
}

function checkRest(service: JsonObject, report: Report): void {
  const [first] = textsIn(objectIn(service, 'healthcheck'), 'test')
  if (first !== undefined && !['CMD', 'CMD-SHELL', 'NONE'].includes(first)) {
    report(
      ['healthcheck', 'test'],
      'healthcheck.test as a list must start with CMD, CMD-SHELL or NONE',
    )
  }
  for (const [index, watch] of objectsIn(objectIn(service, 'develop'), 'watch').entries()) {
    if (textIn(watch, 'target') !== '' || watch.action === 'rebuild' || watch.action === 'restart')
      continue
    report(
      ['develop', 'watch', index],
      `develop.watch needs a target for the action ${textIn(watch, 'action')}`,
    )
  }
}

function checkMounts(service: JsonObject, report: Report): void {
  const mounts = new Set<string>()
  const add = (target: string, keys: readonly (string | number)[]) => {
    if (mounts.has(target)) report(keys, `something is already mounted at ${target}`)
    mounts.add(target)
  }
  for (const [index, item] of textsIn(service, 'tmpfs').entries()) {
    add(item.split(':', 1)[0]!, ['tmpfs', index])
  }
  for (const [index, volume] of objectsIn(service, 'volumes').entries()) {
    add(textIn(volume, 'target'), ['volumes', index])
  }
}

function withReplicas(project: Project): Project {
  const services = Object.entries(project.services).map(([name, service]) => {
    if (service.scale === undefined || service.deploy === undefined) return [name, service] as const
    const deploy = { ...objectIn(service, 'deploy'), replicas: service.scale }
    return [name, { ...service, deploy }] as const
  })
  return { ...project, services: Object.fromEntries(services) }
}

function objectOf(value: Json): JsonObject {
  return objectIn({ value }, 'value')
}
