/** Encrypts as SOPS does for an age key, so that every test has secrets of its own in its files. */
import { createCipheriv, createHash, randomBytes } from 'node:crypto'
import { Encrypter, generateIdentity, identityToRecipient } from 'age-encryption'
import { stringify } from 'yaml'

export type AgeKey = { readonly identity: string; readonly recipient: string }

export async function ageKey(): Promise<AgeKey> {
  const identity = await generateIdentity()
  return { identity, recipient: await identityToRecipient(identity) }
}

type Values = { readonly [name: string]: Part }
type Part = string | number | Values | readonly Part[]

/** A file in one of the forms; one that is no tree has all of it under `data` in JSON. */
export async function sopsTree(
  values: Values,
  { recipient }: AgeKey,
  form: 'yaml' | 'json' = 'json',
): Promise<string> {
  const seal = sealing()
  const tree = sealedFields(values, [])
  const sops = {
    age: [{ recipient, enc: await wrapped(seal.key, recipient) }],
    ...seal.ending(),
    unencrypted_suffix: '_unencrypted',
    version: '3.9.0',
  }
  const whole = { ...tree, sops }
  return form === 'yaml'
    ? stringify(whole, { lineWidth: 0 }).replace(/(lastmodified: )(.*)/, '$1"$2"')
    : `${JSON.stringify(whole, null, 2)}\n`

  function sealedFields(part: Values, path: readonly string[]): object {
    return Object.fromEntries(
      Object.entries(part).map(([name, value]) => [name, sealed(value, [...path, name])]),
    )
  }

  /** The items of a list are bound to the path of the list. */
  function sealed(part: Part, path: readonly string[]): unknown {
    if (isItems(part)) return part.map((item) => sealed(item, path))
    return typeof part === 'object' ? sealedFields(part, path) : seal.value(part, path)
  }
}

function isItems(part: Part): part is readonly Part[] {
  return Array.isArray(part)
}

/** Lines of `NAME=value`. */
export async function sopsDotenv(
  values: Readonly<Record<string, string>>,
  { recipient }: AgeKey,
): Promise<string> {
  const seal = sealing()
  const lines = Object.entries(values).map(
    ([name, value]) => `${name}=${seal.value(value, [name])}`,
  )
  const enc = await wrapped(seal.key, recipient)
  const { lastmodified, mac } = seal.ending()
  const noted = [
    `sops_age__list_0__map_enc=${enc.replaceAll('\n', '\\n')}`,
    `sops_age__list_0__map_recipient=${recipient}`,
    `sops_lastmodified=${lastmodified}`,
    `sops_mac=${mac}`,
    'sops_unencrypted_suffix=_unencrypted',
    'sops_version=3.9.0',
  ]
  return `${[...lines, ...noted].join('\n')}\n`
}

function sealing() {
  const key = randomBytes(32)
  const digest = createHash('sha512')
  const encrypt = (text: string, context: string, type = 'str'): string => {
    const iv = randomBytes(32)
    const cipher = createCipheriv('aes-256-gcm', key, iv, { authTagLength: 16 })
    cipher.setAAD(Buffer.from(context))
    const data = Buffer.concat([cipher.update(text), cipher.final()]).toString('base64')
    const tag = cipher.getAuthTag().toString('base64')
    return `ENC[AES256_GCM,data:${data},iv:${iv.toString('base64')},tag:${tag},type:${type}]`
  }
  return {
    key,
    value(value: string | number, path: readonly string[]): string {
      digest.update(String(value))
      return encrypt(String(value), `${path.join(':')}:`, typeof value === 'number' ? 'int' : 'str')
    },
    ending() {
      const lastmodified = '2026-01-02T03:04:05Z'
      return { lastmodified, mac: encrypt(digest.digest('hex').toUpperCase(), lastmodified) }
    },
  }
}

async function wrapped(key: Buffer, recipient: string): Promise<string> {
  const encrypter = new Encrypter()
  encrypter.addRecipient(recipient)
  const bytes = Buffer.from(await encrypter.encrypt(key)).toString('base64')
  const lines = bytes.match(/.{1,64}/g) ?? []
  return `-----BEGIN AGE ENCRYPTED FILE-----\n${lines.join('\n')}\n-----END AGE ENCRYPTED FILE-----\n`
}
