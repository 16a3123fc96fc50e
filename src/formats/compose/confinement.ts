/** The paths that a resolved project uses, held against the directory that a load is confined to. */
import { resolve } from 'node:path/posix'
import { throwIfAny, ComposeError, type ComposeProblem } from './compose-error.ts'
import type { PlaceOf } from './locate.ts'
import { isLocalContext } from './paths.ts'
import { objectIn, objectsIn, textIn, textsIn, type Project } from './project.ts'
import { confine, type Session } from './session.ts'

type Key = string | number

/** All that escapes is reported at once. */
export function checkConfinement(
  project: Project,
  session: Session,
  placeOf: PlaceOf,
  bindsAnywhere: boolean,
): void {
  if (session.confinedTo === undefined) return
  const problems: ComposeProblem[] = []
  const check = (path: string, keys: readonly Key[]) => {
    if (path === '') return
    try {
      confine(session, path, placeOf(keys))
    } catch (error) {
      if (!(error instanceof ComposeError)) throw error
      problems.push(...error.problems)
    }
  }
  for (const [name, service] of Object.entries({ ...project.services, ...project.disabled })) {
    const at = (...keys: readonly Key[]) => ['services', name, ...keys]
    const build = objectIn(service, 'build')
    for (const [index, volume] of objectsIn(service, 'volumes').entries()) {
      if (volume.type === 'bind' && !bindsAnywhere)
        check(textIn(volume, 'source'), at('volumes', index))
    }
    for (const [index, file] of objectsIn(service, 'env_file').entries()) {
      check(textIn(file, 'path'), at('env_file', index))
    }
    for (const [index, file] of textsIn(service, 'label_file').entries()) {
      check(file, at('label_file', index))
    }
    for (const [index, watch] of objectsIn(objectIn(service, 'develop'), 'watch').entries()) {
      check(textIn(watch, 'path'), at('develop', 'watch', index))
    }
    const { context } = build
    const dockerfile = textIn(build, 'dockerfile')
    if (typeof context === 'string' && isLocalContext(context) && dockerfile !== '') {
      check(resolve(context, dockerfile), at('build', 'dockerfile'))
    }
    const contexts = { context, ...objectIn(build, 'additional_contexts') }
    for (const path of Object.values(contexts)) {
      if (typeof path === 'string' && isLocalContext(path)) check(path, at('build'))
    }
    for (const key of textsIn(build, 'ssh')) {
      check(key.split('=').slice(1).join('='), at('build', 'ssh'))
    }
  }
  for (const section of ['configs', 'secrets'] as const) {
    for (const name of Object.keys(project[section])) {
      check(textIn(objectIn(project[section], name), 'file'), [section, name, 'file'])
    }
  }
  for (const name of Object.keys(project.volumes)) {
    const options = objectIn(objectIn(project.volumes, name), 'driver_opts')
    const isBind = /(?:^|,)r?bind(?:,|$)/.test(textIn(options, 'o'))
    if (isBind && !bindsAnywhere) check(textIn(options, 'device'), ['volumes', name, 'driver_opts'])
  }
  throwIfAny(problems)
}
