/** Blowfish starts from the digits of pi: they are worked out here, not written down. */

const words = 18 + 4 * 256

type BlowfishTables = { readonly p: Uint32Array; readonly s: Uint32Array }

let known: BlowfishTables | undefined

/** Worked out once, which takes as long as half of a hash; whoever asks gets tables of their own to change. */
export function blowfishTables(): BlowfishTables {
  known ??= workedOut()
  return { p: known.p.slice(), s: known.s.slice() }
}

function workedOut(): BlowfishTables {
  const digits = fractionOfPi(words * 32)
  const all = Uint32Array.from({ length: words }, (_, index) =>
    Number((digits >> BigInt((words - 1 - index) * 32)) & 0xffffffffn),
  )
  return { p: all.slice(0, 18), s: all.slice(18) }
}

/** The bits of pi behind the point, by Machin's formula with some to spare. */
function fractionOfPi(bits: number): bigint {
  const spare = 64n
  const one = 1n << (BigInt(bits) + spare)
  const pi = 4n * (4n * arctangent(5n, one) - arctangent(239n, one))
  return (pi - 3n * one) >> spare
}

function arctangent(inverse: bigint, one: bigint): bigint {
  let term = one / inverse
  let sum = term
  const square = inverse * inverse
  for (let odd = 3n; term !== 0n; odd += 2n) {
    term = -(term / square)
    sum += term / odd
  }
  return sum
}
