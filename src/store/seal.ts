/** Secrets at rest: encrypted under a key of their own, bound to the application and run that they belong to. */
import { createCipheriv, createDecipheriv, createHmac, hkdfSync, randomBytes } from 'node:crypto'
import { Problem } from '#model/problem.ts'

type Secrets = ReadonlyMap<string, Uint8Array>

type SealContext = { readonly application: string; readonly run: number }

const [format, printLength, nonceLength, tagLength] = [1, 8, 12, 16]

/** The bytes are `format, fingerprint of the key, nonce, tag, ciphertext`. */
export function sealed(secrets: Secrets, key: Uint8Array, place: SealContext): Uint8Array {
  const nonce = randomBytes(nonceLength)
  const cipher = createCipheriv('aes-256-gcm', cipherKey(key), nonce).setAAD(boundTo(place))
  const entries = [...secrets].map(([id, bytes]) => [id, Buffer.from(bytes).toString('base64')])
  const text = Buffer.concat([cipher.update(JSON.stringify(entries)), cipher.final()])
  const head = [Buffer.of(format), fingerprintOf(key), nonce, cipher.getAuthTag()]
  return Buffer.concat([...head, text])
}

/** The fingerprint shows whether the bytes need another key, which can be found again, or are damaged, which can't be undone. */
export function unsealed(bytes: Uint8Array, key: Uint8Array, place: SealContext): Secrets {
  let at = 0
  function next(length: number): Buffer {
    at += length
    return Buffer.from(bytes.subarray(at - length, at))
  }
  const isKnown = next(1)[0] === format
  if (isKnown && !next(printLength).equals(fingerprintOf(key))) throw anotherKey(place)
  try {
    const decipher = createDecipheriv('aes-256-gcm', cipherKey(key), next(nonceLength), {
      authTagLength: tagLength,
    })
    decipher.setAAD(boundTo(place)).setAuthTag(next(tagLength))
    const text = Buffer.concat([decipher.update(bytes.subarray(at)), decipher.final()])
    const entries: readonly (readonly [string, string])[] = JSON.parse(text.toString())
    return new Map(entries.map(([id, encoded]) => [id, Buffer.from(encoded, 'base64')]))
  } catch (cause) {
    throw damage(place, cause)
  }
}

/** Bytes of another format are not judged. */
export function isSealedWith(bytes: Uint8Array, key: Uint8Array): boolean {
  return bytes[0] !== format || fingerprintOf(key).equals(bytes.subarray(1, 1 + printLength))
}

function cipherKey(key: Uint8Array): Uint8Array {
  return new Uint8Array(hkdfSync('sha256', key, '', 'tend: secrets of snapshots', 32))
}

function fingerprintOf(key: Uint8Array): Buffer {
  const whole = createHmac('sha256', key).update('tend: fingerprint of the key').digest()
  return whole.subarray(0, printLength)
}

function boundTo({ application, run }: SealContext): Buffer {
  return Buffer.from(JSON.stringify([application, run]))
}

function anotherKey({ application, run }: SealContext): Problem {
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the secrets of run ${run} of ${application} were encrypted with another key`,
    suggestion:
      'Put the key of that time back ($TEND_HOME/key, or TEND_KEY_FILE), or apply the files again.',
  })
}

function damage({ application, run }: SealContext, cause: unknown): Problem {
  return new Problem({
    type: 'configuration',
    code: 'store_unusable',
    message: `the recorded secrets of run ${run} of ${application} are damaged`,
    suggestion: 'Go back to another run, or apply the files again.',
    cause,
  })
}
