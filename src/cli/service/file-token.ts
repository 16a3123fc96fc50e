/** The first token of the service: what TEND_TOKEN_FILE holds. */
import { readFileSync } from 'node:fs'
import { Problem } from '#model/problem.ts'

export function fileToken(
  environment: Readonly<Record<string, string | undefined>>,
): { readonly file: string; readonly text: string } | undefined {
  const file = environment['TEND_TOKEN_FILE'] ?? ''
  if (file === '') return undefined
  try {
    return { file, text: readFileSync(file, 'utf8').trim() }
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'declaration_error',
      message: `${file} (TEND_TOKEN_FILE) can't be read`,
      suggestion: 'check the path, its owner and its mode; `openssl rand -hex 32` makes a token',
      cause,
    })
  }
}
