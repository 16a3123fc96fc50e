/** The folder in which Tend keeps its data, where the user names none. */
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'

export function homeOf(
  environment: Readonly<Record<string, string | undefined>>,
  isRoot: boolean,
): string {
  const given = environment['TEND_HOME'] ?? ''
  if (given !== '') return resolve(given)
  if (isRoot) return '/var/lib/tend'
  const state = environment['XDG_STATE_HOME'] ?? ''
  return join(state === '' ? join(homedir(), '.local/state') : state, 'tend')
}
