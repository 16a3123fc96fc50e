/** Passwords, keys, certificates and ciphers; all that is random comes from the seeded stream. */
import { createCipheriv, createDecipheriv, createHmac, scryptSync } from 'node:crypto'
import { fromBuffer, toBuffer } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { bcryptHash } from '../crypto/bcrypt.ts'
import { dsaKey, ecdsaKey, ed25519Key, rsaKey } from '../crypto/keys.ts'
import { takes1, takes2, takesMany, text, uint32, type Context, type Func } from '../library.ts'
import { decodeBase64 } from './encoding.ts'
import { passwordLetters, passwordTemplates } from './master-password.ts'

const bcryptCost = 10
const bcryptSteps = 100_000
const scryptSteps = 200_000

export const cryptoFunctions: Readonly<Record<string, Func>> = {
  bcrypt: takes1(text, (context, password) => bcrypt(context, password)),
  htpasswd: takes2(text, text, (context, user, password) => {
    return user.includes(':') ? `invalid username: ${user}` : `${user}:${bcrypt(context, password)}`
  }),
  genPrivateKey: takes1(text, (context, type) => privateKey(context, type)),
  derivePassword: takesMany(
    [uint32, text, text, text, text],
    ([counter, type, password, user, site], context) => {
      const texts = [type, password, user, site].map((value) => text.read(value))
      return derive(context, uint32.read(counter), texts)
    },
  ),
  encryptAES: takes2(text, text, (context, password, plain) => {
    if (plain === '') return ''
    const iv = context.random().bytes(16)
    const cipher = createCipheriv('aes-256-cbc', aesKey(password), iv)
    return Buffer.concat([iv, cipher.update(toBuffer(plain)), cipher.final()]).toString('base64')
  }),
  decryptAES: takes2(text, text, (_, password, encoded) =>
    encoded === '' ? '' : decrypt(password, encoded),
  ),
}

function bcrypt(context: Context, password: string): string {
  if (password.length > 72) {
    return 'failed to encrypt string with bcrypt: bcrypt: password length exceeds 72 bytes'
  }
  context.budget.spend(bcryptSteps)
  return bcryptHash(toBuffer(password), context.random().bytes(16), bcryptCost)
}

function privateKey(context: Context, type: string): string {
  if (type === '' || type === 'rsa') return rsaKey(4096, context)
  if (type === 'dsa') return dsaKey(context)
  if (type === 'ecdsa') return ecdsaKey(context)
  return type === 'ed25519' ? ed25519Key(context) : `Unknown type ${type}`
}

function derive(
  context: Context,
  counter: number,
  [type = '', password = '', user = '', site = '']: string[],
): string {
  const templates = passwordTemplates.get(type)
  if (templates === undefined) return `cannot find password template ${type}`
  context.budget.spend(scryptSteps)
  const scope = Buffer.from('com.lyndir.masterpassword')
  const salt = Buffer.concat([scope, fourBytes(user.length), toBuffer(user)])
  const key = scryptSync(toBuffer(password), salt, 64, {
    N: 32768,
    r: 8,
    p: 2,
    maxmem: 128 * 1024 * 1024,
  })
  const message = Buffer.concat([scope, fourBytes(site.length), toBuffer(site), fourBytes(counter)])
  const seed = createHmac('sha256', key).update(message).digest()
  const template = templates[(seed[0] ?? 0) % templates.length] ?? ''
  return template
    .split('')
    .map((letter, index) => {
      const letters = passwordLetters.get(letter) ?? ''
      return letters[(seed[index + 1] ?? 0) % letters.length] ?? ''
    })
    .join('')
}

function fourBytes(value: number): Buffer {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32BE(value >>> 0)
  return bytes
}

function aesKey(password: string): Buffer {
  return Buffer.concat([toBuffer(password), Buffer.alloc(32)]).subarray(0, 32)
}

/** Without a check of the padding: its last byte says how much to cut off. */
function decrypt(password: string, encoded: string): string {
  const bytes = toBuffer(decodeBase64(encoded))
  if (bytes.length < 16) {
    throw new GoError(
      `runtime error: slice bounds out of range [:16] with capacity ${bytes.length}`,
    )
  }
  const body = bytes.subarray(16)
  if (body.length % 16 !== 0) throw new GoError('crypto/cipher: input not full blocks')
  if (body.length === 0) throw new GoError('runtime error: index out of range [-1]')
  const decipher = createDecipheriv(
    'aes-256-cbc',
    aesKey(password),
    bytes.subarray(0, 16),
  ).setAutoPadding(false)
  const plain = Buffer.concat([decipher.update(body), decipher.final()])
  const end = plain.length - (plain.at(-1) ?? 0)
  if (end < 0) throw new GoError(`runtime error: slice bounds out of range [:${end}]`)
  return fromBuffer(plain.subarray(0, end))
}
