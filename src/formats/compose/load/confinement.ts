/** The paths that a resolved project uses, held against the directory that a load is confined to. */
import { resolve } from 'node:path/posix'
import { throwIfAny, ComposeError, type ComposeProblem } from '../compose-error.ts'
import type { PlaceOf } from './locate.ts'
import { isLocalContext } from './paths.ts'
import type { Project } from '../project.ts'
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
    const {
      build = {},
      volumes = [],
      env_file: envFiles = [],
      label_file: labelFiles = [],
    } = service
    for (const [index, { type, source = '' }] of volumes.entries()) {
      if (type === 'bind' && !bindsAnywhere) check(source, at('volumes', index))
    }
    for (const [index, { path = '' }] of envFiles.entries()) check(path, at('env_file', index))
    for (const [index, file] of labelFiles.entries()) check(file, at('label_file', index))
    for (const [index, { path }] of (service.develop?.watch ?? []).entries()) {
      check(path, at('develop', 'watch', index))
    }
    const { context, dockerfile = '', additional_contexts: others = {}, ssh = [] } = build
    if (context !== undefined && isLocalContext(context) && dockerfile !== '') {
      check(resolve(context, dockerfile), at('build', 'dockerfile'))
    }
    for (const path of [...(context === undefined ? [] : [context]), ...Object.values(others)]) {
      if (isLocalContext(path)) check(path, at('build'))
    }
    for (const key of ssh) check(key.split('=').slice(1).join('='), at('build', 'ssh'))
  }
  for (const section of ['configs', 'secrets'] as const) {
    for (const [name, { file = '' }] of Object.entries(project[section])) {
      check(file, [section, name, 'file'])
    }
  }
  for (const [name, { driver_opts: options = {} }] of Object.entries(project.volumes)) {
    const isBind = /(?:^|,)r?bind(?:,|$)/.test(options['o'] ?? '')
    if (isBind && !bindsAnywhere) check(options['device'] ?? '', ['volumes', name, 'driver_opts'])
  }
  throwIfAny(problems)
}
