/** Tells by its name, or by its shape, whether a variable's value must not be shown. */
import { hasSecretShape } from './secret-shapes.ts'

const words = /PASSWORD|PASSWD|PASSPHRASE|SECRET|TOKEN|CREDENTIAL|PRIVATE|(?:KEY|PASS|PWD)(?:$|_)/i

/** Words that by themselves, between separators or capitals, name a secret. Beside a plain number or flag they name a setting. */
const parts = new Set([
  'auth',
  'authorization',
  'basicauth',
  'bearer',
  'connectionstring',
  'cookie',
  'creds',
  'dsn',
  'hmac',
  'htpasswd',
  'jwt',
  'key',
  'keys',
  'otp',
  'pass',
  'pat',
  'pepper',
  'pin',
  'psk',
  'pw',
  'pwd',
  'salt',
  'sas',
  'sig',
  'signature',
  'webhook',
])

const plainSetting = /^(?:true|false|yes|no|on|off|enabled|disabled|none|\d{1,5})?$/i

/** Whether a value must not be shown. In doubt it says yes: a value that is hidden for nothing costs one masked line in a diff. */
export function looksSecret(name: string, value: string): boolean {
  if (name === 'PWD') return false
  if (words.test(name) || hasSecretShape(value)) return true
  return !plainSetting.test(value) && isSecretName(name)
}

/** `smtpPw`, `SMTP_PW`, `smtp.pw`: all the same two words. */
function isSecretName(name: string): boolean {
  return name
    .slice(-200)
    .replaceAll(/([a-z0-9])([A-Z])/g, '$1_$2')
    .toLowerCase()
    .split(/[^a-z0-9]+/)
    .some((part) => parts.has(part))
}

/** A name against names in which `*` stands for anything. */
export function isListed(name: string, list: readonly string[] | undefined): boolean {
  return list?.some((pattern) => fits(name, pattern)) ?? false
}

function fits(name: string, pattern: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  if (!name.startsWith(first)) return false
  const last = rest.pop() ?? ''
  let at = first.length
  for (const part of rest) {
    const found = name.indexOf(part, at)
    if (found === -1) return false
    at = found + part.length
  }
  return name.length - last.length >= at && name.endsWith(last)
}
