/** Texts with values put in: `'%d of %s'.format([1, 'a'])`. */
import { toText } from './conversions.ts'
import { fail } from './error.ts'
import { isListValue, MapValue, Uint, type Value } from './values.ts'

/** `%s`, `%d`, `%f`, `%x` and their kind. */
export function format(text: string, items: readonly Value[]): string {
  let at = 0
  return text.replaceAll(
    /%(?:%|(?:\.(\d+))?([a-zA-Z]?))/g,
    (found, digits: string | undefined, verb: string) => {
      if (found === '%%') return '%'
      const item = items[at++]
      if (item === undefined) return fail(`format has no value for ${found}`)
      return formatted(item, verb, digits === undefined ? 6 : Number(digits), found)
    },
  )
}

function formatted(item: Value, verb: string, digits: number, found: string): string {
  const whole = item instanceof Uint ? item.value : typeof item === 'bigint' ? item : undefined
  const number = whole ?? (typeof item === 'number' ? item : undefined)
  if (verb === 's') return shown(item)
  if (verb === 'd' && number !== undefined) return String(number)
  if (verb === 'f' && number !== undefined) return fixed(Number(number), digits)
  if (verb === 'e' && number !== undefined) {
    return Number(number)
      .toExponential(digits)
      .replace(/e([+-])(\d)$/, 'e$10$2')
  }
  const base = { b: 2, o: 8, x: 16, X: 16 }[verb]
  if (base !== undefined && whole !== undefined) {
    return verb === 'X' ? whole.toString(base).toUpperCase() : whole.toString(base)
  }
  if (verb === 'b' && typeof item === 'boolean') return item ? '1' : '0'
  if (/[xX]/.test(verb) && (typeof item === 'string' || item instanceof Uint8Array)) {
    const hex = Buffer.from(item).toString('hex')
    return verb === 'X' ? hex.toUpperCase() : hex
  }
  return fail(`${found} does not fit its value`)
}

/** What JavaScript's own functions write. */
const mostDigits = 100

/** Half of the last digit is rounded to the even one, as in Go; JavaScript rounds it up. */
function fixed(value: number, digits: number): string {
  if (!Number.isFinite(value)) return String(value)
  if (digits > mostDigits) return fail(`nobody needs ${digits} digits`)
  if (Math.abs(value) >= 1e21) {
    return digits === 0 ? String(BigInt(value)) : `${BigInt(value)}.${'0'.repeat(digits)}`
  }
  const [whole = '', fraction = ''] = value.toFixed(100).split('.')
  const isHalf = /^50*$/.test(fraction.slice(digits))
  const cut = digits === 0 ? whole : `${whole}.${fraction.slice(0, digits)}`
  return isHalf && /[02468]$/.test(cut) ? cut : value.toFixed(digits)
}

function shown(item: Value): string {
  if (item === null) return 'null'
  if (typeof item === 'number' && !Number.isFinite(item)) return String(item)
  if (isListValue(item)) return `[${item.map(shown).join(', ')}]`
  if (!(item instanceof MapValue)) return toText(item)
  const entries = item.entries().map(([key, value]) => `${shown(key)}: ${shown(value)}`)
  return `{${entries.toSorted().join(', ')}}`
}
