/** Credentials as engines take them in a header: JSON in the URL's base64, padded, for Docker quietly ignores what is not. */
import type { Json } from '#model/json.ts'

export function authHeader(login: Json): string {
  const text = Buffer.from(JSON.stringify(login)).toString('base64')
  return text.replaceAll('+', '-').replaceAll('/', '_')
}
