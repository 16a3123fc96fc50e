/** Sprig's certificate functions: authorities, self-signed and signed certificates. */
import type { KeyObject } from 'node:crypto'
import { createCertificate, readCertificate, type Issuer } from '../crypto/certificate.ts'
import { readPrivateKey, rsaKey, writePrivateKey } from '../crypto/keys.ts'
import { GoError } from '../errors.ts'
import { plain } from '../fmt/print.ts'
import {
  anythings,
  certificate,
  int,
  takes2,
  takes3,
  takesMany,
  text,
  type Context,
  type Func,
} from '../library.ts'
import type { List, Operand, Struct, Value } from '../values.ts'
import { decodeBase64 } from './encoding.ts'
import { parseIp } from './ip.ts'

export const certificateFunctions: Readonly<Record<string, Func>> = {
  genCA: takes2(text, int, (context, name, days) =>
    authority(context, name, days, newKey(context)),
  ),
  genCAWithKey: takes3(text, int, text, (context, name, days, key) =>
    authority(context, name, days, givenKey(key)),
  ),
  genSelfSignedCert: takesMany([text, anythings, anythings, int], (args, context) => {
    return leaf(args, context, newKey(context), undefined)
  }),
  genSelfSignedCertWithKey: takesMany([text, anythings, anythings, int, text], (args, context) => {
    return leaf(args, context, givenKey(text.read(args[4])), undefined)
  }),
  genSignedCert: takesMany([text, anythings, anythings, int, certificate], (args, context) => {
    return leaf(args, context, newKey(context), certificate.read(args[4]))
  }),
  genSignedCertWithKey: takesMany(
    [text, anythings, anythings, int, certificate, text],
    (args, context) => {
      return leaf(args, context, givenKey(text.read(args[5])), certificate.read(args[4]))
    },
  ),
  buildCustomCert: takes2(text, text, (_, encodedCertificate, encodedKey) =>
    custom(encodedCertificate, encodedKey),
  ),
}

function newKey(context: Context): KeyObject {
  return readPrivateKey(rsaKey(2048, context))
}

function givenKey(pem: string): KeyObject {
  return wrapped('parsing private key', () => readPrivateKey(pem))
}

function wrapped<T>(what: string, read: () => T): T {
  try {
    return read()
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    throw new GoError(`${what}: ${error.text}`)
  }
}

function struct(pem: string, key: string): Struct {
  return {
    kind: 'struct',
    type: 'sprig.certificate',
    fields: new Map([
      ['Cert', pem],
      ['Key', key],
    ]),
  }
}

function authority(context: Context, commonName: string, days: number, key: KeyObject): Struct {
  const request = {
    commonName,
    addresses: [],
    names: [],
    days,
    isAuthority: true,
    now: context.now(),
  }
  return struct(createCertificate(request, key, { key }, context.random()), writePrivateKey(key))
}

function leaf(
  args: readonly Operand[],
  context: Context,
  key: KeyObject,
  signer: Struct | undefined,
): Struct {
  const [name, ips, alternatives, days] = args
  const issuer = signer === undefined ? { key } : issuerOf(signer)
  const request = {
    commonName: text.read(name),
    addresses: addressesOf(context, anythings.read(ips)),
    names: namesOf(context, anythings.read(alternatives)),
    days: int.read(days),
    isAuthority: false,
    now: context.now(),
  }
  return struct(createCertificate(request, key, issuer, context.random()), writePrivateKey(key))
}

function issuerOf(signer: Struct): Issuer {
  const bytes = readCertificate(fieldOf(signer, 'Cert'), 'decodedSignerCert.Bytes')
  const key = wrapped('error parsing private key', () => readPrivateKey(fieldOf(signer, 'Key')))
  return { key, certificate: bytes }
}

function fieldOf({ fields }: Struct, name: string): string {
  const value: Value = fields.get(name) ?? ''
  return typeof value === 'string' ? value : ''
}

function addressesOf({ budget }: Context, { items }: List): Buffer[] {
  return items.map((item) => {
    if (typeof item !== 'string')
      throw new GoError(`error parsing ip: ${plain(item, budget)} is not a string`)
    const address = parseIp(item)
    if (address === undefined) throw new GoError(`error parsing ip: ${item}`)
    return address
  })
}

function namesOf({ budget }: Context, { items }: List): string[] {
  return items.map((item) => {
    if (typeof item === 'string') return item
    throw new GoError(`error processing alternate dns name: ${plain(item, budget)} is not a string`)
  })
}

function custom(encodedCertificate: string, encodedKey: string): Struct {
  const pem = decoded(encodedCertificate, 'certificate')
  const key = decoded(encodedKey, 'private key')
  readCertificate(pem, 'decodedCert.Bytes')
  wrapped('error parsing private key', () => readPrivateKey(key))
  return struct(pem, key)
}

function decoded(encoded: string, what: string): string {
  try {
    return decodeBase64(encoded)
  } catch {
    throw new GoError(`unable to decode base64 ${what}`)
  }
}
