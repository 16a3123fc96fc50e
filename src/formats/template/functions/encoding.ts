/** Base64, base32 and sums. */
import { createHash } from 'node:crypto'
import { fromBuffer, toBuffer } from '../bytes.ts'
import { GoError } from '../errors.ts'
import { takes1, text, type Func } from '../library.ts'

export const encodingFunctions: Readonly<Record<string, Func>> = {
  b64enc: takes1(text, (_, value) => toBuffer(value).toString('base64')),
  b64dec: takes1(text, (_, value) => orErrorText(() => decodeBase64(value))),
  b32enc: takes1(text, (_, value) => encodeBase32(value)),
  b32dec: takes1(text, (_, value) => orErrorText(() => decodeBase32(value))),
  sha1sum: takes1(text, (_, value) => digest('sha1', value)),
  sha256sum: takes1(text, (_, value) => digest('sha256', value)),
  sha512sum: takes1(text, (_, value) => digest('sha512', value)),
  adler32sum: takes1(text, (_, value) => String(adler32(value))),
}

/** These decoders give the error as if it were the text. */
function orErrorText(decode: () => string): string {
  try {
    return decode()
  } catch (error) {
    if (error instanceof GoError) return error.text
    throw error
  }
}

function digest(algorithm: string, value: string): string {
  return createHash(algorithm).update(toBuffer(value)).digest('hex')
}

/** Standard alphabet with padding; line breaks are skipped. */
export function decodeBase64(value: string): string {
  const at = badPosition(value, 4, /[A-Za-z0-9+/]/, [2, 3])
  if (at !== undefined) throw new GoError(`illegal base64 data at input byte ${at}`)
  return fromBuffer(Buffer.from(value, 'base64'))
}

function decodeBase32(encoded: string): string {
  const value = encoded.replace(/[\r\n]/g, '')
  const at = badPosition(value, 8, /[A-Z2-7]/, [2, 4, 5, 7])
  if (at !== undefined) throw new GoError(`illegal base32 data at input byte ${at}`)
  let bits = 0n
  let count = 0
  for (const char of value.replace(/=/g, '')) {
    bits = (bits << 5n) | BigInt(base32.indexOf(char))
    count += 5
  }
  const bytes = Math.floor(count / 8)
  const whole = (bits >> BigInt(count - bytes * 8)).toString(16)
  return bytes === 0 ? '' : fromBuffer(Buffer.from(whole.padStart(bytes * 2, '0'), 'hex'))
}

const base32 = 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567'

function encodeBase32(value: string): string {
  const out: string[] = []
  const bytes = toBuffer(value)
  for (let at = 0; at < bytes.length; at += 5) {
    const group = bytes.subarray(at, at + 5)
    const bits = BigInt(
      `0x${Buffer.concat([group, Buffer.alloc(5 - group.length)]).toString('hex')}`,
    )
    const chars = Array.from(
      { length: 8 },
      (_, index) => base32[Number((bits >> BigInt(35 - index * 5)) & 31n)] ?? '',
    )
    const used = Math.ceil((group.length * 8) / 5)
    out.push(chars.slice(0, used).join('').padEnd(8, '='))
  }
  return out.join('')
}

/** Where Go stops reading, or undefined when all is well: a quantum is full, or padded to its end. */
function badPosition(
  value: string,
  size: number,
  alphabet: RegExp,
  partial: readonly number[],
): number | undefined {
  let filled = 0
  for (let at = 0; at < value.length; at++) {
    const char = value[at] ?? ''
    if (char === '\n' || char === '\r') continue
    if (char === '=') return badPadding(value, at, size - filled, partial.includes(filled))
    if (!alphabet.test(char)) return at
    filled = (filled + 1) % size
  }
  return filled === 0 ? undefined : value.length - filled
}

function badPadding(
  value: string,
  at: number,
  wanted: number,
  isPossible: boolean,
): number | undefined {
  if (!isPossible) return at
  let seen = 0
  for (let position = at; position < value.length; position++) {
    const char = value[position] ?? ''
    if (char === '\n' || char === '\r') continue
    if (char !== '=' || seen === wanted) return position
    seen++
  }
  return seen === wanted ? undefined : value.length
}

function adler32(value: string): number {
  let low = 1
  let high = 0
  for (const byte of toBuffer(value)) {
    low = (low + byte) % 65521
    high = (high + low) % 65521
  }
  return high * 65536 + low
}
