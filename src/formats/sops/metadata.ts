/** What SOPS notes in a file: who can open it, which values are encrypted, and a digest of all values. */
import type { OpenAge } from './age-keys.ts'
import { PatternError } from '../regexp/error.ts'
import { goRegExp, type Pattern } from '../regexp/go-regexp.ts'
import { fail } from './error.ts'

export type Metadata = {
  /** The age files that hold the data key, each for one recipient. */
  readonly dataKeys: readonly string[]
  readonly mac: string
  readonly lastModified: string
  readonly isMacOfEncryptedOnly: boolean
  isEncrypted(path: readonly string[]): boolean
}

type Fields = { readonly [key: string]: unknown }

export function readMetadata(raw: unknown): Metadata {
  if (!isFields(raw)) return fail('what stands under sops is no map')
  const groups = recordsOf(raw['key_groups'])
  if (groups.length > 1 || textOf(raw['shamir_threshold']) > '1') {
    fail('its key is split into parts (key_groups), which is not supported')
  }
  const recipients = [...recordsOf(raw['age']), ...groups.flatMap((one) => recordsOf(one['age']))]
  const mac = textOf(raw['mac'])
  if (recipients.length === 0) {
    const others = ['kms', 'gcp_kms', 'azure_kv', 'hc_vault', 'pgp']
    const found = others.filter((name) => recordsOf(raw[name] ?? groups[0]?.[name]).length > 0)
    fail(`it is not encrypted for age${found.length === 0 ? '' : ` but for ${found.join(', ')}`}`)
  }
  return {
    dataKeys: recipients.map((one) => textOf(one['enc'])),
    mac,
    lastModified: textOf(raw['lastmodified']),
    isMacOfEncryptedOnly: textOf(raw['mac_only_encrypted']).toLowerCase() === 'true',
    isEncrypted: rulesOf(raw),
  }
}

/** The last rule that is there decides, as in SOPS; without one all values are encrypted. */
function rulesOf(raw: Fields): (path: readonly string[]) => boolean {
  const [plainEnd, end] = [textOf(raw['unencrypted_suffix']), textOf(raw['encrypted_suffix'])]
  const [plain, encrypted] = [regexOf(raw['unencrypted_regex']), regexOf(raw['encrypted_regex'])]
  if (textOf(raw['unencrypted_comment_regex']) + textOf(raw['encrypted_comment_regex']) !== '') {
    fail('which values are encrypted depends on comments, which is not supported')
  }
  return (path) => {
    if (encrypted !== undefined) return path.some((part) => encrypted.test(part))
    if (end !== '') {
      const isEncrypted = path.some((part) => part.endsWith(end))
      return isEncrypted && !path.some((part) => plain?.test(part))
    }
    if (plainEnd !== '' && path.some((part) => part.endsWith(plainEnd))) return false
    return !path.some((part) => plain?.test(part))
  }
}

function regexOf(value: unknown): Pattern | undefined {
  const text = textOf(value)
  if (text === '') return undefined
  try {
    return goRegExp(text)
  } catch (error) {
    if (!(error instanceof PatternError)) throw error
    return fail(`its rule for what is encrypted can't be read: ${error.message}`)
  }
}

/** The first of the data keys that one of the age keys opens. */
export async function dataKeyOf({ dataKeys }: Metadata, open?: OpenAge): Promise<Buffer> {
  if (open === undefined) return fail('there is no age key to decrypt it with')
  for (const sealed of dataKeys) {
    const key = await open(Buffer.from(sealed))
    if (key === undefined) continue
    return key.length === 32 ? key : fail('its data key has not 32 bytes')
  }
  return fail('none of the age keys opens it')
}

export function isFields(value: unknown): value is Fields {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function recordsOf(value: unknown): readonly Fields[] {
  return Array.isArray(value) ? value.filter(isFields) : []
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'boolean' || typeof value === 'number'
    ? String(value)
    : ''
}
