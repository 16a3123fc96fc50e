/** What the file asks for and nobody here can do: an error that names it. What `up` itself passes over: a warning. */
import { normalize } from 'node:path/posix'
import { isLocalContext } from '#formats/compose/load/paths.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import { impossible, isSet, type Finding } from './finding.ts'
import { crowded } from './replicas.ts'
import { samePorts } from './same-ports.ts'
import { securityFindings } from './security.ts'
import { byName, servicesOf, type Path, type Stage } from './stage.ts'
import { effectless } from './without-effect.ts'

export function unsupportedFindings(stage: Stage): readonly Finding[] {
  return [
    ...servicesOf(stage).flatMap(([name, service]) => [
      ...ofService(name, service),
      ...restarts(name, service),
      ...unplaced(stage, name, service),
      ...unset(stage, name, service),
      ...misnamed(name, service),
      ...misplaced(name, service),
      ...lacksContext(stage, name, service),
      ...securityFindings(stage, name, service),
      ...crowded(stage, name, service),
    ]),
    ...samePorts(stage),
    ...externals(stage),
    ...ownLabels(stage),
    ...effectless(stage),
  ]
}

/** Keys of a service to what a person can do about them. */
const refused = [
  ['provider', 'start what it provides by hand and connect to it as to any other host'],
  [
    'pre_start',
    'make it a service of its own that others wait for with service_completed_successfully',
  ],
  ['models', 'run the model as a service of its own'],
  ['credential_spec', 'it is for Windows containers: take it out'],
  ['isolation', 'it is for Windows containers: take it out'],
  ['use_api_socket', 'mount the socket in volumes, where a policy can see it'],
] as const

const refusedOfBuild = [
  ['ssh', 'fetch what needs the key before the build'],
  ['secrets', 'use a build argument, or fetch what needs the secret before the build'],
  ['additional_contexts', 'copy what is needed below the context'],
  ['cache_to', 'take it out'],
  ['no_cache_filter', 'take it out, or write no_cache: true'],
  ['entitlements', 'take it out'],
  ['privileged', 'take it out'],
  ['provenance', 'take it out'],
  ['sbom', 'take it out'],
  ['ulimits', 'take it out, or set them for the engine'],
  ['isolation', 'it is for Windows containers: take it out'],
] as const

function ofService(name: string, service: Service): readonly Finding[] {
  const path = ['services', name] as const
  const findings: Finding[] = []
  for (const [key, suggestion] of refused) {
    if (isSet(service[key])) findings.push(impossible([...path, key], key, suggestion))
  }
  const { build = {} } = service
  for (const [key, suggestion] of refusedOfBuild) {
    if (isSet(build[key]))
      findings.push(impossible([...path, 'build', key], `build.${key}`, suggestion))
  }
  if ((build.platforms ?? []).length > 1) {
    findings.push(
      impossible([...path, 'build', 'platforms'], 'build.platforms', 'name one platform'),
    )
  }
  if (/^[a-z+]+:\/\/|^git@|^github\.com\//.test(build.context ?? '')) {
    const where = [...path, 'build', 'context']
    findings.push(impossible(where, 'a context from elsewhere', 'copy it below the project'))
  }
  for (const [index, { type }] of (service.volumes ?? []).entries()) {
    if (type !== 'npipe' && type !== 'cluster') continue
    const what = `a mount of type ${type}`
    findings.push(impossible([...path, 'volumes', index], what, 'use bind, volume or tmpfs'))
  }
  return findings
}

const restartWords = /^(no|always|unless-stopped|on-failure(:\d+)?)?$/

/** The loader takes any word, as Compose does; the engine would refuse it when half is made. */
function restarts(name: string, service: Service): readonly Finding[] {
  const word = service.restart ?? ''
  if (restartWords.test(word)) return []
  const path = ['services', name, 'restart']
  const message = `restart: ${word} is not known`
  const suggestion = 'write no, always, unless-stopped, on-failure or on-failure:N'
  return [{ path, isError: true, code: 'compose_error', message, suggestion }]
}

/** Only a file of the host can be mounted where nothing can be put. */
function unplaced({ model }: Stage, name: string, service: Service): readonly Finding[] {
  if (service.read_only !== true) return []
  return (['configs', 'secrets'] as const).flatMap((kind) =>
    (service[kind] ?? []).flatMap(({ source = '' }, index) => {
      const { file, external } = byName(model[kind], source) ?? {}
      if (isSet(file) || external === true) return []
      const what = `${kind} ${source}, which is no file, in a read_only service`
      return [impossible(['services', name, kind, index], what, 'give it as file')]
    }),
  )
}

function lacksContext(stage: Stage, name: string, service: Service): readonly Finding[] {
  const { list, load } = stage.input
  const context = service.build?.context ?? ''
  if (list === undefined || context === '' || !isLocalContext(context)) return []
  if (load.files.isDirectory(context)) return []
  const path = ['services', name, 'build', 'context']
  const message = `the build's context ${context} is no folder`
  const suggestion = 'make it, or name the folder that has the Dockerfile'
  return [{ path, isError: true, code: 'compose_error', message, suggestion }]
}

/** The loader takes it when a part of it is a name, as Compose does; the engine would refuse it when half is made. */
function misnamed(name: string, { container_name: own = '' }: Service): readonly Finding[] {
  if (own === '' || /^[a-zA-Z0-9][a-zA-Z0-9_.-]+$/.test(own)) return []
  const path = ['services', name, 'container_name']
  const message = `container_name ${JSON.stringify(own)} is no name of a container`
  const suggestion = 'begin it with a letter or a digit, and go on with letters, digits, _, . or -'
  return [{ path, isError: true, code: 'compose_error', message, suggestion }]
}

/** Engines take only absolute ones below the root. A letter before a colon is taken for a drive of Windows, here as in Compose. */
function misplaced(name: string, service: Service): readonly Finding[] {
  return (service.volumes ?? []).flatMap(({ target = '' }, index): readonly Finding[] => {
    const path = ['services', name, 'volumes', index]
    if (target !== '' && normalize(target) === '/') {
      const message = "a volume can't be mounted in the place of the container's whole root"
      const suggestion = 'name a folder in the container: /data'
      return [{ path, isError: true, code: 'compose_error', message, suggestion }]
    }
    if (target === '' || target.startsWith('/')) return []
    const [, letter, rest] = /^(\p{L}):(\/.*)$/u.exec(target) ?? []
    const message = `the volume's path ${JSON.stringify(target)} in the container is not absolute`
    const suggestion =
      letter === undefined
        ? 'begin it with /'
        : `for a volume named ${letter} write { type: volume, source: ${letter}, target: ${rest} }`
    return [{ path, isError: true, code: 'compose_error', message, suggestion }]
  })
}

/** A config or secret whose variable nobody set would be missing in the container. */
function unset({ model, loaded }: Stage, name: string, service: Service): readonly Finding[] {
  return (['configs', 'secrets'] as const).flatMap((kind) =>
    (service[kind] ?? []).flatMap(({ source = '' }, index): readonly Finding[] => {
      const { environment: variable = '' } = byName(model[kind], source) ?? {}
      if (variable === '' || loaded.contentOf(kind, source) !== undefined) return []
      const path = ['services', name, kind, index]
      const message = `${kind}.${source} is the variable ${variable}, which is not set`
      const suggestion = `set ${variable} in .env or another declared env file`
      return [{ path, isError: true, code: 'compose_error', message, suggestion }]
    }),
  )
}

/** Without a swarm there is nowhere to look for them. */
function externals({ model }: Stage): readonly Finding[] {
  return (['configs', 'secrets'] as const).flatMap((kind) => {
    return Object.entries(model[kind]).flatMap(([name, object]) => {
      const { external, template_driver: template, driver } = object
      if (external === true) {
        const what = `${kind}.${name}.external`
        return [
          impossible([kind, name, 'external'], what, 'give it as file, content or environment'),
        ]
      }
      if (!isSet(template) && !isSet(driver)) return []
      return [impossible([kind, name], `${kind}.${name} with a driver`, 'give its content itself')]
    })
  })
}

/** By these labels Tend knows its own, and who owns it: nobody else may say so. */
function ownLabels({ model }: Stage): readonly Finding[] {
  const ofServices = Object.entries(model.services).flatMap(
    ([name, { labels, build, volumes = [] }]) => [
      ...reserved(['services', name, 'labels'], labels),
      ...reserved(['services', name, 'build', 'labels'], build?.labels),
      ...volumes.flatMap(({ volume }, index) =>
        reserved(['services', name, 'volumes', index, 'volume', 'labels'], volume?.labels),
      ),
    ],
  )
  const others = (['networks', 'volumes'] as const).flatMap((section) =>
    Object.entries(model[section]).flatMap(([name, { labels }]) =>
      reserved([section, name, 'labels'], labels),
    ),
  )
  return [...ofServices, ...others]
}

function reserved(path: Path, labels: object = {}): readonly Finding[] {
  const names = Object.keys(labels).filter((name) => name.startsWith('tend/'))
  return names.map((name) => ({
    path: [...path, name],
    isError: true,
    code: 'unsupported',
    message: `label ${name} can't be set: those that begin with tend/ are Tend's own`,
    suggestion: 'choose another name',
  }))
}
