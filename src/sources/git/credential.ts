/** Reads a declared credential at the moment it is needed, so that a renewed one is used at once. */
import { readFile } from 'node:fs/promises'
import type { GitCredential } from '#clients/git/access.ts'
import type { Credential, SecretFrom } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'

/** Where declared secrets are. */
export type Keepers = {
  readonly environment: Readonly<Record<string, string | undefined>>
  readonly held?: ((name: string) => string | undefined) | undefined
}

export async function readCredential(
  credential: Credential,
  keepers: Keepers,
): Promise<GitCredential> {
  if (credential.kind === 'token') {
    const token = (await readNamed(credential.from, keepers)).trim()
    return { kind: 'token', user: credential.user, token }
  }
  if (credential.kind === 'bearer') {
    return { kind: 'bearer', token: (await readNamed(credential.from, keepers)).trim() }
  }
  const { knownHosts } = credential
  const known = knownHosts === undefined ? undefined : await readNamed(knownHosts, keepers)
  return { kind: 'ssh', key: await readNamed(credential.key, keepers), knownHosts: known }
}

export async function readNamed(
  from: SecretFrom,
  { environment, held }: Keepers,
  what = 'a credential',
): Promise<string> {
  if ('held' in from) {
    const value = held?.(from.held)
    if (value !== undefined && value !== '') return value
    throw missing(`${from.held}, which holds ${what}, is not there`)
  }
  if ('variable' in from) {
    const value = environment[from.variable]
    if (value !== undefined && value !== '') return value
    throw missing(`the variable ${from.variable}, which holds ${what}, is not set`)
  }
  try {
    const text = await readFile(from.file, 'utf8')
    if (text.trim() !== '') return text
  } catch (error) {
    throw missing(`${from.file}, which holds ${what}, can't be read`, error)
  }
  throw missing(`${from.file}, which holds ${what}, is empty`)
}

function missing(message: string, cause?: unknown): Problem {
  const suggestion = 'Set it, or name another one in the declaration; it is read each time.'
  return new Problem({ type: 'configuration', code: 'git_error', message, suggestion, cause })
}
