/** Reads a declared secret at the moment it is needed, so that a renewed one is used at once. */
import { readFile } from 'node:fs/promises'
import type { SecretFrom } from '#model/declaration.ts'
import { Problem } from '#model/problem.ts'
import type { Environment } from './origin.ts'

/** Without the line's end that editors add. */
export async function readSecret(from: SecretFrom, environment: Environment): Promise<string> {
  if ('held' in from) throw missing(`${from.held} is only for repositories`)
  const text = 'variable' in from ? environment[from.variable] : await contentOf(from.file)
  const secret = text?.trim() ?? ''
  if (secret !== '') return secret
  throw missing(
    'variable' in from ? `the variable ${from.variable} is not set` : `${from.file} is empty`,
  )
}

async function contentOf(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    throw missing(`${file} can't be read`, error)
  }
}

function missing(message: string, cause?: unknown): Problem {
  return new Problem({
    type: 'configuration',
    code: 'declaration_error',
    message: `a secret is missing: ${message}`,
    suggestion: 'set it, or name another one in the declaration; it is read each time',
    cause,
  })
}
