/** One value of an encrypted file: AES-256-GCM, bound to its path, with its type beside it; and the digest over all values. */
import { createDecipheriv, createHash, type Hash } from 'node:crypto'
import { SopsError, fail } from './error.ts'
import type { Metadata } from './metadata.ts'
import { defined } from '#model/defined.ts'

/** `bigint` is a whole number, `number` one with a point; a comment is no value. */
export type Plain = string | number | bigint | boolean | Date | Comment

export class Comment {
  readonly text: string
  constructor(text: string) {
    this.text = text
  }
}

export type Opening = {
  readonly key: Buffer
  readonly metadata: Metadata
  readonly digest: Hash
}

/** What a digest of encrypted values alone begins with, so that it never equals one of all values. */
const start = '8a3fd2ad54ce66527b1034f3d147be0b0b975b3bf44f72c6fdadec8176f27d69'

export function newOpening(key: Buffer, metadata: Metadata): Opening {
  const digest = createHash('sha512')
  if (metadata.isMacOfEncryptedOnly) digest.update(Buffer.from(start, 'hex'))
  return { key, metadata, digest }
}

/** A value of the file, decrypted if the rules say that it is encrypted. */
export function openValue(value: Plain, path: readonly string[], opening: Opening): Plain {
  const { key, metadata, digest } = opening
  const isEncrypted = metadata.isEncrypted(path)
  const plain = isEncrypted ? decrypted(value, path, key) : value
  if ((isEncrypted || !metadata.isMacOfEncryptedOnly) && !(plain instanceof Comment)) {
    digest.update(wordsOf(plain))
  }
  return plain
}

function decrypted(value: Plain, path: readonly string[], key: Buffer): Plain {
  if (value === '') return ''
  const name = path.join('.')
  if (typeof value !== 'string') return fail(`${name} should be encrypted, but is not`)
  try {
    return decryptValue(value, `${path.join(':')}:`, key) ?? fail('')
  } catch (error) {
    const isPlain = !value.startsWith('ENC[')
    const reason = isPlain ? 'should be encrypted, but is not' : "can't be decrypted"
    throw new SopsError(`${name} ${reason}`, { cause: error })
  }
}

const form = /^ENC\[AES256_GCM,data:(.+),iv:(.+),tag:(.+),type:(.+)\]/

/** Undefined: it is not encrypted. Throws when it was changed or moved. */
function decryptValue(text: string, context: string, key: Buffer): Plain | undefined {
  const found = form.exec(text)
  if (found === null) return undefined
  const [data, iv, tag] = found.slice(1, 4).map((part) => Buffer.from(part, 'base64'))
  const decipher = createDecipheriv('aes-256-gcm', key, defined(iv), { authTagLength: 16 })
  decipher.setAAD(Buffer.from(context))
  decipher.setAuthTag(defined(tag))
  const plain = Buffer.concat([decipher.update(defined(data)), decipher.final()])
  return typed(plain.toString(), defined(found[4]))
}

function typed(text: string, type: string): Plain {
  switch (type) {
    case 'str':
    case 'bytes':
      return text
    case 'int':
      return BigInt(text)
    case 'float':
      return Number(text)
    case 'bool':
      return /^(true|t|1)$/i.test(text)
    case 'time':
      return new Date(text)
    case 'comment':
      return new Comment(text)
    default:
      return fail(`values of the type ${type} are unknown`)
  }
}

function wordsOf(value: Exclude<Plain, Comment>): string {
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  if (typeof value === 'number') return decimal(value)
  if (value instanceof Date) return value.toISOString().replace(/\.?0*Z$/, 'Z')
  return String(value)
}

/** Without an exponent, as short as it can be. */
export function decimal(value: number): string {
  const found = /^(-?)(\d)(?:\.(\d+))?e([+-]\d+)$/.exec(String(value))
  if (found === null) return String(value)
  const [, sign, first, rest = '', exponent] = found
  const [digits, shift] = [`${first}${rest}`, Number(exponent)]
  return shift < 0
    ? `${sign}0.${'0'.repeat(-shift - 1)}${digits}`
    : `${sign}${digits.padEnd(shift + 1, '0')}`
}

/** Refuses a file whose values were changed, moved, added or taken away since it was encrypted. */
export function checkMac({ key, metadata, digest }: Opening): void {
  if (metadata.mac === '') return
  let expected: Plain | undefined
  try {
    expected = decryptValue(metadata.mac, metadata.lastModified, key)
  } catch (error) {
    throw new SopsError('its check sum (sops.mac) was changed', { cause: error })
  }
  const own = digest.digest('hex').toUpperCase()
  if (expected !== own)
    fail('it was changed after it was encrypted: its check sum (sops.mac) differs')
}
