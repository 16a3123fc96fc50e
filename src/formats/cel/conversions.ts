/** From one type to another: `int(x)`, `string(x)` and the like. */
import { int, uint } from './arithmetic.ts'
import { fail } from './error.ts'
import {
  durationOf,
  durationText,
  parseDuration,
  parseTimestamp,
  secondsOf,
  timestampOf,
  timestampText,
} from './times.ts'
import {
  Duration,
  isListValue,
  MapValue,
  Timestamp,
  typeOf,
  TypeName,
  Uint,
  type Value,
} from './values.ts'

export const conversions: Readonly<Record<string, (value: Value) => Value>> = {
  int: toInt,
  uint: toUint,
  double: toDouble,
  string: toText,
  bytes: toBytes,
  bool: toBool,
  duration: (value) => {
    if (value instanceof Duration) return value
    if (typeof value === 'bigint') return durationOf(value)
    return typeof value === 'string' ? parseDuration(value) : no('duration', value)
  },
  timestamp: (value) => {
    if (value instanceof Timestamp) return value
    if (typeof value === 'bigint') return timestampOf(value * 1_000_000_000n)
    return typeof value === 'string' ? parseTimestamp(value) : no('timestamp', value)
  },
  dyn: (value) => value,
  type: (value) => new TypeName(typeOf(value)),
  size: sizeOf,
}

function no(wanted: string, value: Value): never {
  return fail(`${typeOf(value)} can't be turned into ${wanted}`)
}

function toInt(value: Value): Value {
  if (typeof value === 'bigint') return value
  if (value instanceof Uint) return int(value.value)
  if (value instanceof Timestamp) return secondsOf(value)
  if (value instanceof Duration) return value.nanoseconds
  if (typeof value === 'number') return fraction(value, -(2 ** 63), int)
  if (typeof value === 'string' && /^[-+]?\d+$/.test(value)) return int(BigInt(value))
  return typeof value === 'string'
    ? fail(`${JSON.stringify(value)} is no whole number`)
    : no('int', value)
}

function toUint(value: Value): Value {
  if (value instanceof Uint) return value
  if (typeof value === 'bigint') return uint(value)
  if (typeof value === 'number') return fraction(value, 0, uint)
  if (typeof value === 'string' && /^\d+$/.test(value)) return uint(BigInt(value))
  return typeof value === 'string'
    ? fail(`${JSON.stringify(value)} is no whole number`)
    : no('uint', value)
}

/** What stands behind the point is cut off. The limits themselves can't be told from what is beyond them. */
function fraction(value: number, least: number, make: (value: bigint) => Value): Value {
  if (!Number.isFinite(value) || value < least || (least < 0 && value === least))
    fail('integer overflow')
  return make(BigInt(Math.trunc(value)))
}

function toDouble(value: Value): Value {
  if (typeof value === 'number') return value
  if (typeof value === 'bigint') return Number(value)
  if (value instanceof Uint) return Number(value.value)
  if (typeof value !== 'string') return no('double', value)
  const special = /^([+-]?)(?:(inf|infinity)|nan)$/i.exec(value)
  if (special !== null) {
    if (special[2] === undefined) return Number.NaN
    return special[1] === '-' ? -Infinity : Infinity
  }
  const isNumber = /^[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?$/.test(value)
  return isNumber ? Number(value) : fail(`${JSON.stringify(value)} is no number`)
}

const strict = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

export function toText(value: Value): string {
  if (typeof value === 'string') return value
  if (typeof value === 'boolean' || typeof value === 'bigint') return String(value)
  if (typeof value === 'number') return doubleText(value)
  if (value instanceof Uint) return String(value.value)
  if (value instanceof Timestamp) return timestampText(value)
  if (value instanceof Duration) return durationText(value)
  if (value instanceof TypeName) return value.name
  if (!(value instanceof Uint8Array)) return no('string', value)
  try {
    return strict.decode(value)
  } catch {
    return fail('these bytes are no UTF-8')
  }
}

/** As Go writes it in its shortest form. */
function doubleText(value: number): string {
  if (!Number.isFinite(value)) return Number.isNaN(value) ? 'NaN' : value > 0 ? '+Inf' : '-Inf'
  const size = Math.abs(value)
  if (size !== 0 && (size < 1e-4 || size >= 1e6)) {
    return value.toExponential().replace(/e([+-])(\d)$/, 'e$10$2')
  }
  return String(value)
}

function toBytes(value: Value): Value {
  if (value instanceof Uint8Array) return value
  return typeof value === 'string' ? Buffer.from(value) : no('bytes', value)
}

function toBool(value: Value): Value {
  if (typeof value === 'boolean') return value
  if (typeof value !== 'string') return no('bool', value)
  if (['1', 't', 'T', 'true', 'TRUE', 'True'].includes(value)) return true
  if (['0', 'f', 'F', 'false', 'FALSE', 'False'].includes(value)) return false
  return fail(`${JSON.stringify(value)} is neither true nor false`)
}

export function sizeOf(value: Value): bigint {
  if (typeof value === 'string') return BigInt(Array.from(value).length)
  if (isListValue(value) || value instanceof Uint8Array) return BigInt(value.length)
  if (value instanceof MapValue) return BigInt(value.size)
  return fail(`${typeOf(value)} has no size`)
}
