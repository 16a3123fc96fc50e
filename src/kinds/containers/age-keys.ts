/** The keys that the operator gave for files which are encrypted, read each time: a new one counts at once. */
import { readFileSync } from 'node:fs'
import type { AppPolicy } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { Problem } from '#model/problem.ts'

/** Throws a problem. */
export function ageKeysOf({ decryption }: Pick<AppPolicy, 'decryption'>): readonly string[] {
  return (decryption?.keyFiles ?? []).map((file) => {
    try {
      return readFileSync(file, 'utf8')
    } catch (cause) {
      throw new Problem({
        type: 'configuration',
        code: 'declaration_error',
        message: `the key file ${file} can't be read`,
        suggestion:
          'decryption.keyFiles in tend.yaml names it; the user of the service must be able to read it',
        cause,
      })
    }
  })
}

/** Another one with other keys, and nothing of them; undefined without any. */
export function markOfKeys(policy: Pick<AppPolicy, 'decryption'>): string | undefined {
  if (policy.decryption === undefined) return undefined
  try {
    return hashOf([...ageKeysOf(policy)])
  } catch (error) {
    if (error instanceof Problem) return error.message
    throw error
  }
}
