/** Clocks on the wall of a time zone: which moments a schedule names there, also on days when they are put forward or back. */
import { isDayOf, type Cron, type Day } from './cron.ts'

export const minute = 60_000
export const day = 24 * 60 * minute

export type Zone = {
  /** What has to be added to a moment's UTC to read the clock on the wall, ms, whole minutes. */
  offsetAt(moment: number): number
}

/** Undefined: there is no such time zone. */
export function zoneOf(name: string): Zone | undefined {
  const format = formatOf(name)
  if (format === undefined) return undefined
  return { offsetAt: (moment) => wallOf(format, moment) - floored(moment, minute) }
}

function formatOf(name: string): Intl.DateTimeFormat | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', {
      timeZone: name,
      calendar: 'gregory',
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
    })
  } catch {
    // there is no such time zone, and the caller says so
    return undefined
  }
}

/** The wall's reading, as if it were UTC. */
function wallOf(format: Intl.DateTimeFormat, moment: number): number {
  const parts = new Map(
    format.formatToParts(moment).map(({ type, value }) => [type, Number(value)]),
  )
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.get(type) ?? 0
  return Date.UTC(of('year'), of('month') - 1, of('day'), of('hour'), of('minute'))
}

/**
 * The moments of one day of the wall that a schedule names, in order. A reading that is skipped when clocks are put forward
 * counts as the moment after the gap; one that comes twice counts twice.
 */
export function momentsOn(cron: Cron, zone: Zone, wallDay: number): readonly number[] {
  if (!isDayOf(cron, dayOf(wallDay))) return []
  const readings = readingsOf(cron, wallDay)
  const [before, after] = [zone.offsetAt(wallDay - day), zone.offsetAt(wallDay + 2 * day)]
  if (before === after && zone.offsetAt(wallDay) === before) {
    return readings.map((reading) => reading - before)
  }
  const moments = readings.flatMap((reading) => momentsAt(zone, reading, [before, after]))
  return [...new Set(moments)].toSorted((left, right) => left - right)
}

function dayOf(wallDay: number): Day {
  const date = new Date(wallDay)
  return { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
}

function readingsOf({ hours, minutes }: Cron, wallDay: number): readonly number[] {
  const readings: number[] = []
  for (let hour = 0; hour < 24; hour++) {
    if (!hours.has(hour)) continue
    for (let at = 0; at < 60; at++) {
      if (minutes.has(at)) readings.push(wallDay + (hour * 60 + at) * minute)
    }
  }
  return readings
}

function momentsAt(zone: Zone, reading: number, offsets: readonly number[]): readonly number[] {
  const fitting = [...new Set(offsets)]
    .map((offset) => reading - offset)
    .filter((moment) => moment + zone.offsetAt(moment) === reading)
  return fitting.length > 0 ? fitting : [afterGap(zone, reading, offsets)]
}

/** The first moment whose reading is past one that never comes. */
function afterGap(zone: Zone, reading: number, offsets: readonly number[]): number {
  let low = reading - Math.max(...offsets) - minute
  let high = reading - Math.min(...offsets)
  while (high - low > minute) {
    const middle = floored((low + high) / 2, minute)
    if (middle + zone.offsetAt(middle) > reading) high = middle
    else low = middle
  }
  return high
}

export function floored(value: number, unit: number): number {
  return Math.floor(value / unit) * unit
}
