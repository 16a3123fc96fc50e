/** Private keys that a stream of bytes decides. */
import { createECDH, createPrivateKey, type KeyObject } from 'node:crypto'
import { GoError } from '../errors.ts'
import type { Context } from '../library.ts'
import type { Random } from '../random.ts'
import { integer, objectId, octetString, pem, readPem, sequence, tagged, bitString } from './der.ts'
import { hasSmallFactor, inverse, power, prime } from './primes.ts'
import { checkPrimeSync } from 'node:crypto'

const exponent = 65537n
/** The order of the group of P-256: private keys are below it. */
const order256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n

/** Steps that a key costs, by the time it takes: a thousand keys must end at the limit. */
const rsaSteps = { 2048: 200_000, 4096: 1_000_000 }

export function rsaKey(bits: 2048 | 4096, context: Context): string {
  context.budget.spend(rsaSteps[bits])
  const random = context.random()
  const fits = (candidate: bigint) => (candidate - 1n) % exponent !== 0n
  const p = prime(bits / 2, random, fits)
  let q = prime(bits / 2, random, fits)
  while (q === p) q = prime(bits / 2, random, fits)
  const d = inverse(exponent, lcm(p - 1n, q - 1n))
  const numbers = [0n, p * q, exponent, d, p, q, d % (p - 1n), d % (q - 1n), inverse(q, p)]
  return pem('RSA PRIVATE KEY', sequence(...numbers.map(integer)))
}

function lcm(left: bigint, right: bigint): bigint {
  let [a, b] = [left, right]
  while (b > 0n) [a, b] = [b, a % b]
  return (left / a) * right
}

export function ecdsaKey(context: Context): string {
  const secret = bytesOf(context.random().below(order256 - 1n) + 1n, 32)
  const pair = createECDH('prime256v1')
  pair.setPrivateKey(secret)
  const curve = tagged(0xa0, objectId('1.2.840.10045.3.1.7'))
  const shared = tagged(0xa1, bitString(pair.getPublicKey()))
  return pem('EC PRIVATE KEY', sequence(integer(1n), octetString(secret), curve, shared))
}

export function ed25519Key(context: Context): string {
  const secret = octetString(octetString(context.random().bytes(32)))
  return pem('PRIVATE KEY', sequence(integer(0n), sequence(objectId('1.3.101.112')), secret))
}

export function dsaKey(context: Context): string {
  context.budget.spend(1_000_000)
  const random = context.random()
  const q = prime(256, random, () => true)
  const p = dsaModulus(q, random)
  let g = 1n
  for (let h = 2n; g === 1n; h++) g = power(h, (p - 1n) / q, p)
  const x = random.below(q - 1n) + 1n
  const numbers = [0n, p, q, g, power(g, x, p), x]
  return pem('DSA PRIVATE KEY', sequence(...numbers.map(integer)))
}

/** A prime of 2048 bits that is 1 modulo 2q. */
function dsaModulus(q: bigint, random: Random): bigint {
  for (;;) {
    const drawn = random.below(1n << 2048n) | (1n << 2047n)
    const candidate = drawn - (drawn % (2n * q)) + 1n
    if (candidate >> 2047n === 1n && !hasSmallFactor(candidate) && checkPrimeSync(candidate))
      return candidate
  }
}

export function bytesOf(value: bigint, width: number): Buffer {
  return Buffer.from(value.toString(16).padStart(width * 2, '0'), 'hex')
}

/** A key from PEM text, with sprig's errors for what is none. */
export function readPrivateKey(text: string): KeyObject {
  const block = readPem(text)
  if (block === undefined) throw new GoError('no PEM data in input')
  if (!block.type.endsWith('PRIVATE KEY')) {
    throw new GoError(`no private key data in PEM block of type ${block.type}`)
  }
  const kind = block.type.replace(/ ?PRIVATE KEY$/, '')
  if (!['', 'RSA', 'EC', 'DSA'].includes(kind))
    throw new GoError(`invalid private key type ${block.type}`)
  try {
    return createPrivateKey(pem(block.type, block.der))
  } catch (error) {
    const what = kind === '' ? 'decoding PEM as PKCS#8' : `parsing ${kind} private key from PEM`
    throw new GoError(`${what}: ${error instanceof Error ? error.message : String(error)}`)
  }
}

/** The PEM form that sprig gives a key back in. */
export function writePrivateKey(key: KeyObject): string {
  const type =
    key.asymmetricKeyType === 'rsa' ? 'pkcs1' : key.asymmetricKeyType === 'ec' ? 'sec1' : 'pkcs8'
  return String(key.export({ type, format: 'pem' }))
}
