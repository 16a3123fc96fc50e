/** An instant with the zone it is shown in, and its date on the calendar there. */
import { offsetAt, type Zone } from './zone.ts'

/** Seconds since 1970 and nanoseconds within the second. */
export type Moment = { readonly seconds: number; readonly nanos: number; readonly zone: Zone }

export type Civil = {
  readonly year: number
  readonly month: number
  readonly day: number
  readonly hour: number
  readonly minute: number
  readonly second: number
  readonly nanos: number
  readonly weekday: number
  readonly yearDay: number
  readonly offset: number
  readonly zoneName: string
}

const daySeconds = 86400

export function civil({ seconds, nanos, zone }: Moment): Civil {
  const { offset, name } = offsetAt(zone, seconds)
  const local = seconds + offset
  const days = Math.floor(local / daySeconds)
  const rest = local - days * daySeconds
  const { year, month, day } = dateOfDays(days)
  return {
    year,
    month,
    day,
    hour: Math.floor(rest / 3600),
    minute: Math.floor(rest / 60) % 60,
    second: rest % 60,
    nanos,
    weekday: (((days + 4) % 7) + 7) % 7,
    yearDay: days - daysOfDate(year, 1, 1) + 1,
    offset,
    zoneName: name,
  }
}

/** Days since 1970 of a date; months and days outside their range roll over. */
function daysOfDate(year: number, month: number, day: number): number {
  const months = year * 12 + month - 1
  const fullYear = Math.floor(months / 12)
  const fullMonth = ((months % 12) + 12) % 12
  const shifted = fullMonth < 2 ? fullYear - 1 : fullYear
  const era = Math.floor(shifted / 400)
  const yearOfEra = shifted - era * 400
  const dayOfYear = Math.floor((153 * ((fullMonth + 10) % 12) + 2) / 5)
  const dayOfEra =
    yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * 146097 + dayOfEra - 719468 + day - 1
}

function dateOfDays(days: number): { year: number; month: number; day: number } {
  const shifted = days + 719468
  const era = Math.floor(shifted / 146097)
  const dayOfEra = shifted - era * 146097
  const yearOfEra = Math.floor(
    (dayOfEra -
      Math.floor(dayOfEra / 1460) +
      Math.floor(dayOfEra / 36524) -
      Math.floor(dayOfEra / 146096)) /
      365,
  )
  const dayOfYear =
    dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const index = Math.floor((5 * dayOfYear + 2) / 153)
  const month = index < 10 ? index + 3 : index - 9
  return {
    year: yearOfEra + era * 400 + (month <= 2 ? 1 : 0),
    month,
    day: dayOfYear - Math.floor((153 * index + 2) / 5) + 1,
  }
}

export function daysInMonth(year: number, month: number): number {
  return daysOfDate(year, month + 1, 1) - daysOfDate(year, month, 1)
}

/** time.Date: the instant at which clocks in the zone show this. */
export function momentOf(
  date: Pick<Civil, 'year' | 'month' | 'day' | 'hour' | 'minute' | 'second' | 'nanos'>,
  zone: Zone,
): Moment {
  const local =
    daysOfDate(date.year, date.month, date.day) * daySeconds +
    date.hour * 3600 +
    date.minute * 60 +
    date.second
  const first = offsetAt(zone, local - offsetAt(zone, local).offset)
  return { seconds: local - first.offset, nanos: date.nanos, zone }
}

export function fromMilliseconds(milliseconds: number, zone: Zone): Moment {
  const seconds = Math.floor(milliseconds / 1000)
  return { seconds, nanos: Math.round((milliseconds - seconds * 1000) * 1e6), zone }
}

export function nanosecondsOf({ seconds, nanos }: Moment): bigint {
  return BigInt(seconds) * 1_000_000_000n + BigInt(nanos)
}

export function fromNanoseconds(nanoseconds: bigint, zone: Zone): Moment {
  const nanos = ((nanoseconds % 1_000_000_000n) + 1_000_000_000n) % 1_000_000_000n
  return { seconds: Number((nanoseconds - nanos) / 1_000_000_000n), nanos: Number(nanos), zone }
}

/** 1 January of year 1, what Go shows for a time that was never set. */
export const zeroSeconds = -62135596800
