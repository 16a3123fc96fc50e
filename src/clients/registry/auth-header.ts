/** Credentials as engines take them in a header: JSON in padded base64 for URLs. Docker silently ignores any other form. */
import type { Json } from '#model/json.ts'

export function authHeader(login: Json): string {
  const text = Buffer.from(JSON.stringify(login)).toString('base64')
  return text.replaceAll('+', '-').replaceAll('/', '_')
}
