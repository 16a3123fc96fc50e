/** Whether a webhook proves that it knows the secret. Every comparison takes the same time, whatever it finds. */
import { createHash, createHmac, timingSafeEqual } from 'node:crypto'
import type { IncomingHttpHeaders } from 'node:http'
import { forges, header, type Kind } from './forge.ts'

/** How far a clock may be from ours, ms. */
const skew = 5 * 60_000

export type Verdict = 'right' | 'missing' | 'wrong' | 'old' | 'unstamped'

export function verify(
  kind: Kind,
  headers: IncomingHttpHeaders,
  bytes: Buffer,
  secret: string,
  now: number,
): Verdict {
  const given = header(headers, forges[kind].proof)
  if (given === undefined) return 'missing'
  if (kind === 'gitlab') return isSame(given, secret) ? 'right' : 'wrong'
  const stamp = stampIn(kind, headers)
  // `TIMESTAMP.BODY` is signed by those who send a timestamp: taken as a body, the signature would hold for ever
  if (stamp === undefined && beginsWithStamp.test(bytes.subarray(0, 16).toString('latin1'))) {
    return 'unstamped'
  }
  const mac = createHmac('sha256', secret)
  if (stamp !== undefined) mac.update(`${stamp}.`)
  const expected = mac.update(bytes).digest('hex')
  if (!isSame(given.replace(/^sha256=/i, '').toLowerCase(), expected)) return 'wrong'
  return stamp === undefined || isNow(stamp, now) ? 'right' : 'old'
}

/** A timestamp that was ever right has at least ten digits. */
const beginsWithStamp = /^\d{10,12}\./

export function stampIn(kind: Kind, headers: IncomingHttpHeaders): string | undefined {
  return kind === 'generic' ? header(headers, ['x-tend-timestamp']) : undefined
}

/** Seconds since 1970, as the sender's clock has it. */
function isNow(stamp: string, now: number): boolean {
  return /^\d{1,12}$/.test(stamp) && Math.abs(Number(stamp) * 1000 - now) <= skew
}

/** Hashes have one length: how long a secret is does not show either. */
function isSame(a: string, b: string): boolean {
  return timingSafeEqual(hash(a), hash(b))
}

function hash(text: string): Buffer {
  return createHash('sha256').update(text).digest()
}
