/** The keys of age that a person has, where SOPS itself looks for them. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { Problem } from '#model/problem.ts'

export async function ownAgeKeys(
  environment: Readonly<Record<string, string | undefined>>,
): Promise<readonly string[]> {
  const { SOPS_AGE_KEY: text, SOPS_AGE_KEY_FILE: file, XDG_CONFIG_HOME, HOME } = environment
  const named = file === undefined || file === '' ? [] : [await namedFile(file)]
  const given = text === undefined || text === '' ? [] : [text]
  const folder = XDG_CONFIG_HOME ?? (HOME === undefined ? undefined : join(HOME, '.config'))
  const usual =
    folder === undefined ? undefined : await fileIfAny(join(folder, 'sops/age/keys.txt'))
  return [...given, ...named, ...(usual === undefined ? [] : [usual])]
}

async function namedFile(file: string): Promise<string> {
  try {
    return await readFile(file, 'utf8')
  } catch (cause) {
    throw new Problem({
      type: 'configuration',
      code: 'usage',
      message: `SOPS_AGE_KEY_FILE: ${file} can't be read`,
      suggestion: 'name a file with a key of age, as age-keygen writes it',
      cause,
    })
  }
}

async function fileIfAny(file: string): Promise<string | undefined> {
  try {
    return await readFile(file, 'utf8')
  } catch {
    // most people have none
    return undefined
  }
}
