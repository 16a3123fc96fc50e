/** Finds the files that declare: those that were named, else those in the usual places. Without any, variables of the environment declare. */
import { existsSync } from 'node:fs'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'

const usualFile = 'tend.yaml'
const usualFolder = '/etc/tend'

export function whereDeclared(flags: Flags, { environment }: Session): readonly string[] {
  const { configs } = flags.service
  if (configs.length > 0) return configs
  const named = (environment['TEND_CONFIG'] ?? '').split(':').filter((path) => path !== '')
  if (named.length > 0) return named
  if ((environment['GIT_REPO_URL'] ?? '') !== '') return []
  return [usualFile, usualFolder].filter((path) => existsSync(path)).slice(0, 1)
}
