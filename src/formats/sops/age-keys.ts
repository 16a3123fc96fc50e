/** Opens files of age with secret keys, by age-encryption: keys of the X25519 kind and of the post-quantum (hybrid) kind. */
import { fail } from './error.ts'

/** Undefined: it is for none of the keys. Throws for what is damaged. */
export type OpenAge = (file: Uint8Array) => Promise<Buffer | undefined>

/** Of key files: one key a line, empty lines and comments between them. Undefined where there is no key in them. */
export async function ageKeys(keyFiles: readonly string[]): Promise<OpenAge | undefined> {
  const keys = keyFiles.flatMap((text) =>
    text
      .split('\n')
      .map((line) => line.trim())
      .filter((line) => line !== '' && !line.startsWith('#')),
  )
  if (keys.length === 0) return undefined
  const { armor, Decrypter } = await import('age-encryption')
  const decrypter = new Decrypter()
  for (const key of keys) {
    try {
      decrypter.addIdentity(key)
    } catch {
      // what the library says may show the key
      return fail(
        'a line is no key of age: it would begin with AGE-SECRET-KEY-1 or AGE-SECRET-KEY-PQ-1',
      )
    }
  }
  return async (file) => {
    try {
      const text = Buffer.from(file).toString('latin1')
      const isArmored = text.trimStart().startsWith('-----BEGIN AGE ENCRYPTED FILE-----')
      return Buffer.from(await decrypter.decrypt(isArmored ? armor.decode(text) : file))
    } catch (error) {
      const said = error instanceof Error ? error.message : String(error)
      if (said === noMatch) return undefined
      return fail(`what is encrypted with age in it is damaged: ${said}`)
    }
  }
}

/** What age-encryption 0.3.1 says of a file that is for others. */
const noMatch = "no identity matched any of the file's recipients"
