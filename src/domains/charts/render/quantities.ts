/** Amounts of memory and processor time, as texts of one form: 1024Mi is 1Gi, 500m is 0.5. */

type Quantity =
  | { readonly isValid: true; readonly text: string }
  | { readonly isValid: false; readonly hint: string }

const binary = new Map(
  ['', 'Ki', 'Mi', 'Gi', 'Ti', 'Pi', 'Ei'].map((u, n) => [u, 1024n ** BigInt(n)]),
)
const decimal = new Map(['', 'k', 'M', 'G', 'T', 'P', 'E'].map((u, n) => [u, 1000n ** BigInt(n)]))

/** A whole number of bytes, written with the unit that needs the fewest digits. */
export function memoryQuantity(written: string): Quantity {
  const bytes = bytesOf(written)
  if (bytes === undefined || bytes <= 0n) return { isValid: false, hint: memoryHint(written) }
  const candidates = [...binary, ...decimal]
    .filter(([, factor]) => bytes % factor === 0n)
    .map(([unit, factor]) => ({ unit, number: String(bytes / factor) }))
  const best = candidates.reduce((one, other) =>
    other.number.length < one.number.length ? other : one,
  )
  return { isValid: true, text: best.number + best.unit }
}

/** Undefined for what is no amount, or not of whole bytes. */
export function bytesOf(written: string): bigint | undefined {
  const match = /^(\d+)(?:\.(\d+))?(|[KMGTPE]i|[kMGTPE])$/.exec(written)
  if (match === null) return undefined
  const [, whole = '', fraction = '', unit = ''] = match
  const factor = binary.get(unit) ?? decimal.get(unit)
  if (factor === undefined) return undefined
  const scale = 10n ** BigInt(fraction.length)
  const scaled = BigInt(whole + fraction) * factor
  return scaled % scale === 0n ? scaled / scale : undefined
}

function memoryHint(written: string): string {
  const [, number, letter] = /^(\d+(?:\.\d+)?)\s*([kmgtpe])i?b?$/i.exec(written) ?? []
  if (number === undefined || letter === undefined) {
    return 'write a number of bytes with a unit: 512Mi, 1Gi or 500M, 1G'
  }
  const upper = letter.toUpperCase()
  return `write ${number}${upper === 'K' ? 'k' : upper} or ${number}${upper}i`
}

/** Processors: 500m, 0.5 or 2, to the thousandth. */
export function cpuQuantity(written: string): Quantity {
  const match = /^(\d+)(?:\.(\d{1,3})0*)?(m?)$/.exec(written)
  const [, whole = '', fraction = '', unit = ''] = match ?? []
  const thousandths =
    unit === 'm' ? Number(whole) : Number(whole) * 1000 + Number(fraction.padEnd(3, '0'))
  if (match === null || (unit === 'm' && fraction !== '') || thousandths <= 0) {
    return { isValid: false, hint: 'write processors as 0.5 or 500m' }
  }
  return { isValid: true, text: String(thousandths / 1000) }
}
