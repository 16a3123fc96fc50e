/** Reads a declared credential at the moment it is needed, so that a renewed one is used at once. */
import { readFile } from 'node:fs/promises'
import type { GitCredential } from '#clients/git/access.ts'
import type { Credential, SecretFrom } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'

export async function readCredential(
  credential: Credential,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<GitCredential> {
  if (credential.kind === 'token') {
    const token = (await secretOf(credential.from, environment)).trim()
    return { kind: 'token', user: credential.user, token }
  }
  const { knownHosts } = credential
  const known = knownHosts === undefined ? undefined : await secretOf(knownHosts, environment)
  return { kind: 'ssh', key: await secretOf(credential.key, environment), knownHosts: known }
}

async function secretOf(
  from: SecretFrom,
  environment: Readonly<Record<string, string | undefined>>,
): Promise<string> {
  if ('variable' in from) {
    const value = environment[from.variable]
    if (value !== undefined && value !== '') return value
    throw missing(`the variable ${from.variable}, which holds a credential, is not set`)
  }
  try {
    const text = await readFile(from.file, 'utf8')
    if (text.trim() !== '') return text
  } catch (error) {
    throw missing(`${from.file}, which holds a credential, can't be read`, error)
  }
  throw missing(`${from.file}, which holds a credential, is empty`)
}

function missing(message: string, cause?: unknown): Problem {
  const suggestion = 'Set it, or name another one in the declaration; it is read each time.'
  return new Problem({ type: 'configuration', code: 'git_error', message, suggestion, cause })
}
