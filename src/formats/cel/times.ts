/** Timestamps and durations: how they are written, and their parts. */
import { fail } from './error.ts'
import { Duration, Timestamp } from './values.ts'
import { defined } from '#model/defined.ts'

const second = 1_000_000_000n
const units: Readonly<Record<string, bigint>> = {
  h: 3600n * second,
  m: 60n * second,
  s: second,
  ms: 1_000_000n,
  us: 1000n,
  µs: 1000n,
  ns: 1n,
}

export function parseDuration(text: string): Duration {
  const form = /^([+-]?)((?:(?:\d+(?:\.\d*)?|\.\d+)(?:h|ms|us|µs|ns|m|s))+|0)$/.exec(text)
  if (form === null) return fail(`${JSON.stringify(text)} is no duration; write 1h30m or 5s`)
  let sum = 0n
  for (const [, number = '', unit = ''] of defined(form[2]).matchAll(
    /([\d.]+)(h|ms|us|µs|ns|m|s)/g,
  )) {
    const [whole = '', part = ''] = number.split('.')
    const factor = units[unit] ?? 1n
    sum +=
      BigInt(whole || '0') * factor + (BigInt(part || '0') * factor) / 10n ** BigInt(part.length)
  }
  return durationOf(form[1] === '-' ? -sum : sum)
}

const [least, most] = [-62_135_596_800n, 253_402_300_799n]

export function timestampOf(nanoseconds: bigint): Timestamp {
  const seconds = floorDivided(nanoseconds, second)
  if (seconds < least || seconds > most) fail('this time is before the year 1 or after 9999')
  return new Timestamp(nanoseconds)
}

export function durationOf(nanoseconds: bigint): Duration {
  if (BigInt.asIntN(64, nanoseconds) !== nanoseconds) fail('this duration is too long')
  return new Duration(nanoseconds)
}

export function parseTimestamp(text: string): Timestamp {
  const form = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:\.(\d+))?(Z|[+-]\d\d:\d\d)$/.exec(text)
  const milliseconds = form === null ? Number.NaN : Date.parse(`${form[1]}${form[3]}`)
  if (form === null || Number.isNaN(milliseconds)) {
    return fail(`${JSON.stringify(text)} is no time; write 2026-01-31T12:00:00Z`)
  }
  const fraction = BigInt((form[2] ?? '').slice(0, 9).padEnd(9, '0'))
  return timestampOf(BigInt(milliseconds) * 1_000_000n + fraction)
}

/** As RFC 3339 has it, without zeros at the end. */
export function timestampText({ nanoseconds }: Timestamp): string {
  const whole = floorDivided(nanoseconds, second)
  const fraction = String(nanoseconds - whole * second)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const text = new Date(Number(whole) * 1000).toISOString().slice(0, 19)
  return `${text}${fraction === '' ? '' : `.${fraction}`}Z`
}

export function durationText({ nanoseconds }: Duration): string {
  const size = nanoseconds < 0n ? -nanoseconds : nanoseconds
  const fraction = String(size % second)
    .padStart(9, '0')
    .replace(/0+$/, '')
  const sign = nanoseconds < 0n ? '-' : ''
  return `${sign}${size / second}${fraction === '' ? '' : `.${fraction}`}s`
}

export function secondsOf({ nanoseconds }: Timestamp): bigint {
  return floorDivided(nanoseconds, second)
}

function floorDivided(value: bigint, by: bigint): bigint {
  const quotient = value / by
  return value % by < 0n ? quotient - 1n : quotient
}

type Part = (date: Date, nanoseconds: bigint) => number

const parts: Readonly<Record<string, Part>> = {
  getFullYear: (date) => date.getUTCFullYear(),
  getMonth: (date) => date.getUTCMonth(),
  getDate: (date) => date.getUTCDate(),
  getDayOfMonth: (date) => date.getUTCDate() - 1,
  getDayOfWeek: (date) => date.getUTCDay(),
  getDayOfYear: (date) =>
    Math.floor((date.getTime() - Date.UTC(date.getUTCFullYear(), 0, 1)) / 86_400_000),
  getHours: (date) => date.getUTCHours(),
  getMinutes: (date) => date.getUTCMinutes(),
  getSeconds: (date) => date.getUTCSeconds(),
  getMilliseconds: (date) => date.getUTCMilliseconds(),
}

/** `zone` is `UTC`, `+02:00` or a name as in `Europe/Berlin`. */
export function partOfTime(name: string, time: Timestamp, zone: string): bigint {
  const milliseconds = Number(floorDivided(time.nanoseconds, 1_000_000n))
  const part = parts[name] ?? fail(`${name} is no part of a time`)
  return BigInt(part(new Date(milliseconds + offsetOf(zone, milliseconds)), time.nanoseconds))
}

function offsetOf(zone: string, milliseconds: number): number {
  if (zone === 'UTC') return 0
  const fixed = /^([+-]?)(\d\d):(\d\d)$/.exec(zone)
  if (fixed !== null) {
    const minutes = Number(fixed[2]) * 60 + Number(fixed[3])
    return (fixed[1] === '-' ? -minutes : minutes) * 60_000
  }
  try {
    const options = {
      timeZone: zone,
      hourCycle: 'h23',
      dateStyle: 'short',
      timeStyle: 'medium',
    } as const
    const local = new Intl.DateTimeFormat('sv-SE', options).format(milliseconds)
    return Date.parse(`${local.replace(' ', 'T')}Z`) - Math.floor(milliseconds / 1000) * 1000
  } catch {
    return fail(`${JSON.stringify(zone)} is no time zone`)
  }
}

export function partOfDuration(name: string, { nanoseconds }: Duration): bigint {
  switch (name) {
    case 'getHours':
      return nanoseconds / (3600n * second)
    case 'getMinutes':
      return nanoseconds / (60n * second)
    case 'getSeconds':
      return nanoseconds / second
    case 'getMilliseconds':
      return nanoseconds / 1_000_000n
    default:
      return fail(`a duration has no ${name}`)
  }
}
