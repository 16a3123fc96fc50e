/** Signatures that repeat: RSA and Ed25519 do by nature, ECDSA by taking its nonce from the message (RFC 6979). */
import { createECDH, createHash, createHmac, sign, type KeyObject } from 'node:crypto'
import { GoError } from '../errors.ts'
import { integer, none, objectId, sequence } from './der.ts'
import { bytesOf } from './keys.ts'
import { inverse } from './primes.ts'

export type Signature = { readonly algorithm: Buffer; readonly bytes: Buffer }

type Curve = {
  readonly order: bigint
  readonly hash: string
  readonly algorithm: string
  readonly width: number
}

const curves: ReadonlyMap<string, Curve> = new Map([
  [
    'prime256v1',
    {
      order: 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n,
      hash: 'sha256',
      algorithm: '1.2.840.10045.4.3.2',
      width: 32,
    },
  ],
  [
    'secp384r1',
    {
      order:
        0xffffffffffffffffffffffffffffffffffffffffffffffffc7634d81f4372ddf581a0db248b0a77aecec196accc52973n,
      hash: 'sha384',
      algorithm: '1.2.840.10045.4.3.3',
      width: 48,
    },
  ],
])

export function signed(message: Buffer, key: KeyObject): Signature {
  if (key.asymmetricKeyType === 'rsa') {
    const algorithm = sequence(objectId('1.2.840.113549.1.1.11'), none())
    return { algorithm, bytes: rsa(message, key) }
  }
  if (key.asymmetricKeyType === 'ed25519') {
    return { algorithm: sequence(objectId('1.3.101.112')), bytes: sign(null, message, key) }
  }
  const name = key.asymmetricKeyType === 'ec' ? (key.asymmetricKeyDetails?.namedCurve ?? '') : ''
  const curve = curves.get(name)
  if (curve === undefined) throw new GoError('x509: only RSA, ECDSA and Ed25519 keys supported')
  const secret = Buffer.from(String(key.export({ format: 'jwk' }).d), 'base64url')
  return {
    algorithm: sequence(objectId(curve.algorithm)),
    bytes: ecdsa(message, secret, name, curve),
  }
}

/** A key too short for the digest cannot sign. */
function rsa(message: Buffer, key: KeyObject): Buffer {
  try {
    return sign('sha256', message, key)
  } catch (error) {
    throw new GoError(
      `error creating certificate: ${error instanceof Error ? error.message : String(error)}`,
    )
  }
}

function ecdsa(
  message: Buffer,
  secret: Buffer,
  name: string,
  { order, hash, width }: Curve,
): Buffer {
  const digest = createHash(hash).update(message).digest()
  const e = toNumber(digest) % order
  const hmac = (key: Buffer, ...parts: Buffer[]) =>
    createHmac(hash, key).update(Buffer.concat(parts)).digest()
  const input = [bytesOf(toNumber(secret), width), bytesOf(e, width)]
  let value: Buffer = Buffer.alloc(digest.length, 1)
  let key: Buffer = hmac(Buffer.alloc(digest.length), value, Buffer.from([0]), ...input)
  value = hmac(key, value)
  key = hmac(key, value, Buffer.from([1]), ...input)
  value = hmac(key, value)
  for (;;) {
    value = hmac(key, value)
    const nonce = toNumber(value)
    if (nonce > 0n && nonce < order) {
      const r = abscissa(nonce, name, width) % order
      const s = (inverse(nonce, order) * (e + r * toNumber(secret))) % order
      if (r !== 0n && s !== 0n) return sequence(integer(r), integer(s))
    }
    key = hmac(key, value, Buffer.from([0]))
    value = hmac(key, value)
  }
}

/** The x of the generator times the nonce: what a key pair of that secret shows. */
function abscissa(nonce: bigint, name: string, width: number): bigint {
  const pair = createECDH(name)
  pair.setPrivateKey(bytesOf(nonce, width))
  return toNumber(pair.getPublicKey().subarray(1, 1 + width))
}

function toNumber(bytes: Uint8Array): bigint {
  return BigInt(`0x${Buffer.from(bytes).toString('hex') || '0'}`)
}
