/** Prime numbers and the arithmetic of keys; the primes come from a stream of bytes, so they repeat. */
import { checkPrimeSync } from 'node:crypto'
import type { Random } from '../random.ts'

/** The two highest bits are set, so that a product of two has twice the bits. */
export function prime(
  bits: number,
  random: Random,
  isWanted: (candidate: bigint) => boolean,
): bigint {
  const top = 3n << BigInt(bits - 2)
  for (;;) {
    const start = random.below(1n << BigInt(bits)) | top | 1n
    for (let candidate = start; candidate < start + 4096n; candidate += 2n) {
      if (hasSmallFactor(candidate) || !isWanted(candidate)) continue
      if (candidate >> BigInt(bits) === 0n && checkPrimeSync(candidate)) return candidate
    }
  }
}

const smallPrimes = [3n, 5n, 7n, 11n, 13n, 17n, 19n, 23n, 29n, 31n, 37n, 41n, 43n, 47n, 53n]
const product = smallPrimes.reduce((left, right) => left * right, 1n)

export function hasSmallFactor(candidate: bigint): boolean {
  const rest = candidate % product
  return smallPrimes.some((small) => rest % small === 0n && candidate !== small)
}

export function inverse(value: bigint, modulus: bigint): bigint {
  let [previous, current] = [modulus, ((value % modulus) + modulus) % modulus]
  let [before, after] = [0n, 1n]
  while (current > 0n) {
    const quotient = previous / current
    ;[previous, current] = [current, previous - quotient * current]
    ;[before, after] = [after, before - quotient * after]
  }
  return ((before % modulus) + modulus) % modulus
}

export function power(base: bigint, exponent: bigint, modulus: bigint): bigint {
  let result = 1n
  let square = base % modulus
  for (let left = exponent; left > 0n; left >>= 1n) {
    if (left & 1n) result = (result * square) % modulus
    square = (square * square) % modulus
  }
  return result
}
