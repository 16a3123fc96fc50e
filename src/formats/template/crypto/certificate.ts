/** X.509 certificates as sprig asks Go for them: one name, two uses, a validity in days. */
import { createHash, createPublicKey, X509Certificate, type KeyObject } from 'node:crypto'
import { toBuffer } from '../bytes.ts'
import { GoError } from '../errors.ts'
import type { Random } from '../random.ts'
import {
  bitString,
  boolean,
  directoryString,
  elements,
  integer,
  objectId,
  octetString,
  pem,
  readPem,
  sequence,
  set,
  tagged,
  time,
} from './der.ts'
import { signed } from './sign.ts'

type CertificateRequest = {
  readonly commonName: string
  readonly addresses: readonly Buffer[]
  readonly names: readonly string[]
  readonly days: number
  readonly isAuthority: boolean
  readonly now: number
}
/** Who signs: itself when there is no certificate. */
export type Issuer = { readonly key: KeyObject; readonly certificate?: Buffer }

const dayMilliseconds = 86_400_000
/** The last second that a certificate can name: the end of the year 9999. */
const lastTime = Date.UTC(9999, 11, 31, 23, 59, 59)

export function createCertificate(
  request: CertificateRequest,
  key: KeyObject,
  issuer: Issuer,
  random: Random,
): string {
  const expires = request.now + request.days * dayMilliseconds
  if (expires > lastTime || expires < 0)
    throw new GoError('error creating certificate: cannot represent time as GeneralizedTime')
  const subject = nameOf(request.commonName)
  const parent = issuer.certificate === undefined ? undefined : partsOf(issuer.certificate)
  const publicKey = createPublicKey(issuer.key).export({ type: 'spki', format: 'der' })
  if (parent !== undefined && !parent.publicKey.equals(publicKey)) {
    throw new GoError(
      "error creating certificate: x509: provided PrivateKey doesn't match parent's PublicKey",
    )
  }
  const { algorithm } = signed(Buffer.alloc(0), issuer.key)
  const body = sequence(
    tagged(0xa0, integer(2n)),
    integer(random.below((1n << 128n) - 1n) + 1n),
    algorithm,
    parent?.subject ?? subject,
    sequence(time(request.now), time(expires)),
    subject,
    createPublicKey(key).export({ type: 'spki', format: 'der' }),
    tagged(0xa3, sequence(...extensions(request, key, subject, parent))),
  )
  return pem('CERTIFICATE', sequence(body, algorithm, bitString(signed(body, issuer.key).bytes)))
}

function nameOf(commonName: string): Buffer {
  if (commonName === '') return sequence()
  return sequence(set(sequence(objectId('2.5.4.3'), directoryString(toBuffer(commonName)))))
}

type Parent = {
  readonly subject: Buffer
  readonly publicKey: Buffer
  readonly keyId: Buffer | undefined
}

/** What the issuer's certificate says of itself. */
function partsOf(certificate: Buffer): Parent {
  const body = elements(elements(certificate)[0]?.body ?? certificate)[0]?.body ?? Buffer.alloc(0)
  const fields = elements(body).filter(({ tag }) => tag !== 0xa0)
  const list = fields.find(({ tag }) => tag === 0xa3)
  const all = elements(elements(list?.body ?? Buffer.alloc(0))[0]?.body ?? Buffer.alloc(0))
  const wanted = objectId('2.5.29.14')
  const found = all.map(({ body: each }) => elements(each)).find(([id]) => id?.whole.equals(wanted))
  const keyId = elements(found?.at(-1)?.body ?? Buffer.alloc(0))[0]?.body
  return {
    subject: fields[4]?.whole ?? sequence(),
    publicKey: fields[5]?.whole ?? Buffer.alloc(0),
    keyId,
  }
}

function extensions(
  request: CertificateRequest,
  key: KeyObject,
  subject: Buffer,
  parent: Parent | undefined,
): Buffer[] {
  /** digitalSignature and keyEncipherment, and certSign for an authority. */
  const usage = request.isAuthority
    ? bitString(Buffer.from([0xa4]), 2)
    : bitString(Buffer.from([0xa0]), 5)
  const all = [
    extension('2.5.29.15', true, usage),
    extension(
      '2.5.29.37',
      false,
      sequence(objectId('1.3.6.1.5.5.7.3.1'), objectId('1.3.6.1.5.5.7.3.2')),
    ),
    extension('2.5.29.19', true, request.isAuthority ? sequence(boolean(true)) : sequence()),
  ]
  if (request.isAuthority) all.push(extension('2.5.29.14', false, octetString(keyIdOf(key))))
  if (parent?.keyId !== undefined && !parent.subject.equals(subject)) {
    all.push(extension('2.5.29.35', false, sequence(tagged(0x80, parent.keyId))))
  }
  const alternatives = [
    ...request.names.map((name) => tagged(0x82, toBuffer(name))),
    ...request.addresses.map((address) => tagged(0x87, address)),
  ]
  if (alternatives.length > 0) {
    all.push(extension('2.5.29.17', request.commonName === '', sequence(...alternatives)))
  }
  return all
}

function extension(id: string, isCritical: boolean, value: Buffer): Buffer {
  return sequence(objectId(id), ...(isCritical ? [boolean(true)] : []), octetString(value))
}

/** The first twenty bytes of the SHA-256 of the public key. */
function keyIdOf(key: KeyObject): Buffer {
  const info =
    elements(createPublicKey(key).export({ type: 'spki', format: 'der' }))[0]?.body ??
    Buffer.alloc(0)
  const bits = elements(info)[1]?.body.subarray(1) ?? Buffer.alloc(0)
  return createHash('sha256').update(bits).digest().subarray(0, 20)
}

/** The bytes of a certificate in PEM; what cannot be read is named as sprig names it. */
export function readCertificate(text: string, what: string): Buffer {
  const block = readPem(text)
  if (block === undefined) throw new GoError('unable to decode certificate')
  try {
    return new X509Certificate(block.der).raw
  } catch {
    throw new GoError(`error parsing certificate: ${what}: x509: malformed certificate`)
  }
}
