/** Links that log a browser in once: made for whoever holds a token, good for one use within two minutes, and kept in memory alone. */
import { randomBytes } from 'node:crypto'
import type { Clock } from '#model/clock.ts'
import { hashOfToken, type KeptToken } from './tokens.ts'

type LoginLinks = {
  make(token: KeptToken): { readonly code: string; readonly expiresAt: number }
  /** The token that it was made for; undefined: it is not known, was used, or is too old. */
  take(code: string): KeptToken | undefined
}

const lasts = 120_000
/** Nobody needs more at once: the oldest go. */
const most = 100

export function loginLinks(clock: Pick<Clock, 'now'>): LoginLinks {
  const links = new Map<string, { readonly token: KeptToken; readonly expiresAt: number }>()
  return {
    make(token) {
      const code = randomBytes(24).toString('base64url')
      const expiresAt = clock.now() + lasts
      links.set(hashOfToken(code), { token, expiresAt })
      const [oldest] = links.keys()
      if (links.size > most && oldest !== undefined) links.delete(oldest)
      return { code, expiresAt }
    },
    take(code) {
      const key = hashOfToken(code)
      const found = links.get(key)
      links.delete(key)
      return found !== undefined && found.expiresAt > clock.now() ? found.token : undefined
    },
  }
}
