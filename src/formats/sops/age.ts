/** Decrypting age files (age-encryption.org/v1) with X25519 keys. */
import {
  createDecipheriv,
  createHmac,
  createPrivateKey,
  createPublicKey,
  diffieHellman,
  hkdfSync,
  timingSafeEqual,
  type KeyObject,
} from 'node:crypto'
import { decodeBech32 } from './bech32.ts'
import { SopsError, fail } from './error.ts'

export type AgeIdentity = { readonly key: KeyObject; readonly publicKey: Buffer }

const privatePrefix = Buffer.from('302e020100300506032b656e04220420', 'hex')
const publicPrefix = Buffer.from('302a300506032b656e032100', 'hex')

/** All keys of a key file: one a line, empty lines and comments between them. */
export function readIdentities(text: string): readonly AgeIdentity[] {
  const lines = text.split(/\r?\n/).map((line) => line.trim())
  return lines.filter((line) => line !== '' && !line.startsWith('#')).map(identityOf)
}

function identityOf(line: string): AgeIdentity {
  if (/^AGE-SECRET-KEY-PQ-/i.test(line)) fail('keys of the post-quantum kind are not supported')
  const { prefix, bytes } = decodeBech32(line)
  if (prefix !== 'age-secret-key-' || bytes.length !== 32) fail('this is no secret key of age')
  const der = Buffer.concat([privatePrefix, bytes])
  const key = createPrivateKey({ key: der, format: 'der', type: 'pkcs8' })
  const publicKey = createPublicKey(key).export({ format: 'der', type: 'spki' }).subarray(-32)
  return { key, publicKey }
}

/** Undefined: it is for none of these keys. */
export function decryptAge(
  file: Uint8Array,
  identities: readonly AgeIdentity[],
): Buffer | undefined {
  const { stanzas, header, mac, payload } = parse(unarmored(Buffer.from(file)))
  for (const identity of identities) {
    for (const stanza of stanzas) {
      const fileKey = unwrapped(stanza, identity)
      if (fileKey === undefined) continue
      const own = createHmac('sha256', derived(fileKey, Buffer.alloc(0), 'header'))
      if (!equal(own.update(header).digest(), mac)) fail('the header was changed')
      return decryptPayload(fileKey, payload)
    }
  }
  return undefined
}

const begin = '-----BEGIN AGE ENCRYPTED FILE-----'
const end = '-----END AGE ENCRYPTED FILE-----'

function unarmored(file: Buffer): Buffer {
  const text = file.toString('latin1').trim()
  if (!text.startsWith(begin)) return file
  if (!text.endsWith(end)) fail('the armor has no end')
  return Buffer.from(text.slice(begin.length, -end.length), 'base64')
}

type Stanza = { readonly args: readonly string[]; readonly body: Buffer }

function parse(file: Buffer) {
  const text = file.toString('latin1')
  if (!text.startsWith('age-encryption.org/v1\n')) fail('this is no file of age')
  const close = text.indexOf('\n---')
  const after = text.indexOf('\n', close + 1)
  if (close < 0 || after < 0) fail('the header has no end')
  const stanzas: { args: string[]; body: string }[] = []
  for (const line of text.slice(0, close).split('\n').slice(1)) {
    if (line.startsWith('-> ')) stanzas.push({ args: line.slice(3).split(' '), body: '' })
    else if (stanzas.length === 0) fail('the header is damaged')
    else stanzas.at(-1)!.body += line
  }
  return {
    stanzas: stanzas.map(({ args, body }): Stanza => ({ args, body: Buffer.from(body, 'base64') })),
    header: file.subarray(0, close + 4),
    mac: Buffer.from(text.slice(close + 5, after), 'base64'),
    payload: file.subarray(after + 1),
  }
}

function unwrapped({ args, body }: Stanza, identity: AgeIdentity): Buffer | undefined {
  const ephemeral = Buffer.from(args[1] ?? '', 'base64')
  if (args[0] !== 'X25519' || ephemeral.length !== 32 || body.length !== 32) return undefined
  const der = Buffer.concat([publicPrefix, ephemeral])
  const publicKey = createPublicKey({ key: der, format: 'der', type: 'spki' })
  try {
    const shared = diffieHellman({ privateKey: identity.key, publicKey })
    const salt = Buffer.concat([ephemeral, identity.publicKey])
    return opened(derived(shared, salt, 'age-encryption.org/v1/X25519'), Buffer.alloc(12), body)
  } catch {
    return undefined // for someone else
  }
}

const chunkSize = 64 * 1024 + 16

function decryptPayload(fileKey: Buffer, payload: Buffer): Buffer {
  if (payload.length < 16) fail('the file was cut off')
  const key = derived(fileKey, payload.subarray(0, 16), 'payload')
  const sealed = payload.subarray(16)
  const count = Math.max(1, Math.ceil(sealed.length / chunkSize))
  const chunks = Array.from({ length: count }, (_, i) => {
    const nonce = Buffer.alloc(12)
    nonce.writeUIntBE(i, 5, 6)
    nonce[11] = i === count - 1 ? 1 : 0
    try {
      return opened(key, nonce, sealed.subarray(i * chunkSize, (i + 1) * chunkSize))
    } catch (error) {
      throw new SopsError('the content was changed or cut off', { cause: error })
    }
  })
  return Buffer.concat(chunks)
}

function opened(key: Buffer, nonce: Buffer, sealed: Buffer): Buffer {
  const decipher = createDecipheriv('chacha20-poly1305', key, nonce, { authTagLength: 16 })
  decipher.setAuthTag(sealed.subarray(-16))
  return Buffer.concat([decipher.update(sealed.subarray(0, -16)), decipher.final()])
}

function derived(key: Uint8Array, salt: Uint8Array, info: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, salt, info, 32))
}

function equal(one: Buffer, other: Buffer): boolean {
  return one.length === other.length && timingSafeEqual(one, other)
}
