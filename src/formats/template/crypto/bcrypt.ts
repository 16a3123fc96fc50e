/** bcrypt: Blowfish with a costly key schedule. */
import { blowfishTables } from './pi.ts'

type State = { readonly p: Uint32Array; readonly s: Uint32Array }

const alphabet = './ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789'
/** "OrpheanBeholderScryDoubt", encrypted 64 times. */
const magic = [0x4f727068, 0x65616e42, 0x65686f6c, 0x64657253, 0x63727944, 0x6f756274]

export function bcryptHash(password: Buffer, salt: Buffer, cost: number): string {
  const key = Buffer.concat([password, Buffer.alloc(1)])
  const state = blowfishTables()
  expand(state, key, salt)
  const rounds = 2 ** cost
  for (let round = 0; round < rounds; round++) {
    expand(state, key, undefined)
    expand(state, salt, undefined)
  }
  const words = Uint32Array.from(magic)
  for (let at = 0; at < words.length; at += 2)
    for (let time = 0; time < 64; time++) encrypt(state, words, at)
  const digest = Buffer.alloc(24)
  words.forEach((word, index) => digest.writeUInt32BE(word, index * 4))
  return `$2a$${String(cost).padStart(2, '0')}$${encode(salt)}${encode(digest.subarray(0, 23))}`
}

function expand({ p, s }: State, key: Buffer, salt: Buffer | undefined): void {
  let at = 0
  for (let index = 0; index < p.length; index++) {
    let word = 0
    for (let count = 0; count < 4; count++, at++) word = (word << 8) | (key[at % key.length] ?? 0)
    p[index] = (p[index] ?? 0) ^ word
  }
  const block = new Uint32Array(2)
  let from = 0
  for (const table of [p, s]) {
    for (let index = 0; index < table.length; index += 2) {
      if (salt !== undefined) {
        block[0] = (block[0] ?? 0) ^ salt.readUInt32BE(from)
        block[1] = (block[1] ?? 0) ^ salt.readUInt32BE(from + 4)
        from = 8 - from
      }
      encrypt({ p, s }, block, 0)
      table[index] = block[0] ?? 0
      table[index + 1] = block[1] ?? 0
    }
  }
}

function encrypt({ p, s }: State, block: Uint32Array, at: number): void {
  let left = (block[at] ?? 0) ^ (p[0] ?? 0)
  let right = block[at + 1] ?? 0
  for (let round = 1; round <= 16; round += 2) {
    right ^= mix(s, left) ^ (p[round] ?? 0)
    left ^= mix(s, right) ^ (p[round + 1] ?? 0)
  }
  block[at] = right ^ (p[17] ?? 0)
  block[at + 1] = left
}

function mix(s: Uint32Array, word: number): number {
  const sum = ((s[word >>> 24] ?? 0) + (s[256 + ((word >>> 16) & 255)] ?? 0)) | 0
  return ((sum ^ (s[512 + ((word >>> 8) & 255)] ?? 0)) + (s[768 + (word & 255)] ?? 0)) | 0
}

/** Base64 in an order of its own, without padding. */
function encode(bytes: Buffer): string {
  let out = ''
  for (let at = 0; at < bytes.length; at += 3) {
    const [a = 0, b = 0, c = 0] = bytes.subarray(at, at + 3)
    const bits = (a << 16) | (b << 8) | c
    const chars = [18, 12, 6, 0].map((shift) => alphabet[(bits >> shift) & 63] ?? '')
    out += chars.slice(0, Math.min(bytes.length - at, 3) + 1).join('')
  }
  return out
}
