/** Bech32 (BIP 173), the spelling of age's keys, without its limit on length. */
import { fail } from './error.ts'

const letters = 'qpzry9x8gf2tvdw0s3jn54khce6mua7l'
const generators = [0x3b6a57b2, 0x26508e6d, 0x1ea119fa, 0x3d4233dd, 0x2a1462b3]

export function decodeBech32(text: string): { readonly prefix: string; readonly bytes: Buffer } {
  const lower = text.toLowerCase()
  if (text !== lower && text !== text.toUpperCase()) fail('the key mixes small and large letters')
  const split = lower.lastIndexOf('1')
  const prefix = lower.slice(0, split)
  const values = Array.from(lower.slice(split + 1), (letter) => letters.indexOf(letter))
  if (split < 1 || values.length < 6 || values.includes(-1))
    fail('the key is not written as age does')
  if (checksum([...expanded(prefix), ...values]) !== 1) fail('the key has a mistake in it')
  return { prefix, bytes: bytesOf(values.slice(0, -6)) }
}

function expanded(prefix: string): number[] {
  const codes = Array.from(prefix, (letter) => letter.charCodeAt(0))
  return [...codes.map((code) => code >> 5), 0, ...codes.map((code) => code & 31)]
}

function checksum(values: readonly number[]): number {
  let sum = 1
  for (const value of values) {
    const top = sum >>> 25
    sum = ((sum & 0x1ffffff) << 5) ^ value
    generators.forEach((generator, i) => {
      if ((top >>> i) & 1) sum ^= generator
    })
  }
  return sum
}

/** Five bits each to eight bits each; what is left over must be nothing. */
function bytesOf(values: readonly number[]): Buffer {
  const bytes: number[] = []
  let [held, bits] = [0, 0]
  for (const value of values) {
    held = ((held << 5) | value) & 0xfff
    bits += 5
    if (bits < 8) continue
    bits -= 8
    bytes.push((held >> bits) & 0xff)
  }
  if (bits >= 5 || (held & ((1 << bits) - 1)) !== 0) fail('the key has a mistake in it')
  return Buffer.from(bytes)
}
