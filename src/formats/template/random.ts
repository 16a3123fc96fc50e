/** A stream of bytes that a seed and a name decide: the same ones give the same bytes. */
import { createCipheriv, createHash } from 'node:crypto'

export type Random = {
  bytes(count: number): Buffer
  /** A whole number from 0 up to, and without, the bound. */
  below(bound: bigint): bigint
}

export function randomStream(seed: Uint8Array, name: string): Random {
  const key = createHash('sha256').update(`${seed.length}:`).update(seed).update(name).digest()
  const cipher = createCipheriv('aes-256-ctr', key, Buffer.alloc(16))
  function bytes(count: number): Buffer {
    return cipher.update(Buffer.alloc(count))
  }
  return {
    bytes,
    below(bound) {
      const bits = (bound - 1n).toString(2).length
      const width = Math.ceil(bits / 8)
      for (;;) {
        const drawn = BigInt(`0x${bytes(width).toString('hex')}`) & ((1n << BigInt(bits)) - 1n)
        if (drawn < bound) return drawn
      }
    },
  }
}
