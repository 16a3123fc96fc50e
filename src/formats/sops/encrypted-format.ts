/** Tells what SOPS encrypted from what is plain, and in which form. Light: no cipher is loaded for it. */

export type Format = 'yaml' | 'json' | 'dotenv' | 'ini' | 'binary'

export function formatOf(path: string): Format {
  if (/\.ya?ml$/.test(path)) return 'yaml'
  if (path.endsWith('.json') || path.endsWith('.dockerconfigjson')) return 'json'
  if (path.endsWith('.env')) return 'dotenv'
  return path.endsWith('.ini') ? 'ini' : 'binary'
}

const marks: Readonly<Record<Format, string>> = {
  yaml: 'mac: ENC[',
  json: '"mac": "ENC[',
  dotenv: 'sops_mac=ENC[',
  ini: '[sops]',
  binary: '"mac": "ENC[',
}

export function isEncryptedFile(bytes: Uint8Array, format: Format): boolean {
  return Buffer.from(bytes).includes(marks[format])
}

/** Undefined: nothing in it says that it is encrypted. */
export function encryptedFormatOf(bytes: Uint8Array): Format | undefined {
  const order = ['json', 'dotenv', 'ini', 'yaml'] as const
  return order.find((format) => isEncryptedFile(bytes, format))
}
