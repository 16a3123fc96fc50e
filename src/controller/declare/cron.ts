/** Five fields of cron, as sets of numbers. */
import { defined } from '#model/defined.ts'

export type Cron = {
  readonly minutes: ReadonlySet<number>
  readonly hours: ReadonlySet<number>
  readonly days: ReadonlySet<number>
  readonly months: ReadonlySet<number>
  /** 0 is Sunday. */
  readonly weekdays: ReadonlySet<number>
  /** Both days of the month and of the week are named: then either is enough, as cron has it. */
  readonly eitherDay: boolean
}

/** A day of some calendar; months from 1. */
export type Day = { readonly year: number; readonly month: number; readonly day: number }

type Field = {
  readonly name: string
  readonly least: number
  readonly most: number
  readonly names: readonly string[]
}

const weekdayNames = ['sun', 'mon', 'tue', 'wed', 'thu', 'fri', 'sat']
const monthNames = 'jan feb mar apr may jun jul aug sep oct nov dec'.split(' ')
const fields: readonly Field[] = [
  { name: 'minute', least: 0, most: 59, names: [] },
  { name: 'hour', least: 0, most: 23, names: [] },
  { name: 'day of the month', least: 1, most: 31, names: [] },
  { name: 'month', least: 1, most: 12, names: monthNames },
  { name: 'day of the week', least: 0, most: 7, names: weekdayNames },
]

/** A sentence on what is wrong instead, where it is no schedule. */
export function cronOf(text: string): Cron | string {
  const parts = text.trim().split(/\s+/)
  if (parts.length !== 5 || text.trim() === '') {
    return `has ${text.trim() === '' ? 'no' : parts.length} fields, not five: minute hour day month weekday`
  }
  const sets: ReadonlySet<number>[] = []
  for (const [index, field] of fields.entries()) {
    const set = setOf(defined(parts[index]), field)
    if (typeof set === 'string') return set
    sets.push(set)
  }
  const [minutes, hours, days, months, weekdays] = sets
  const eitherDay = !defined(parts[2]).startsWith('*') && !defined(parts[4]).startsWith('*')
  return {
    minutes: defined(minutes),
    hours: defined(hours),
    days: defined(days),
    months: defined(months),
    weekdays: new Set([...defined(weekdays)].map((day) => day % 7)),
    eitherDay,
  }
}

export function isDayOf(cron: Cron, { year, month, day }: Day): boolean {
  if (!cron.months.has(month)) return false
  const isDay = cron.days.has(day)
  const isWeekday = cron.weekdays.has(new Date(Date.UTC(year, month - 1, day)).getUTCDay())
  return cron.eitherDay ? isDay || isWeekday : isDay && isWeekday
}

/** Whether the schedule names a day at all: the 30th of February never comes. */
export function everComes(cron: Cron): boolean {
  if (cron.eitherDay || [...cron.weekdays].length < 7) return true
  const longest = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]
  return [...cron.months].some((month) =>
    [...cron.days].some((day) => day <= defined(longest[month - 1])),
  )
}

function setOf(text: string, field: Field): ReadonlySet<number> | string {
  const found = new Set<number>()
  for (const item of text.split(',')) {
    const range = rangeOf(item, field)
    if (typeof range === 'string') return range
    for (let value = range.from; value <= range.to; value += range.step) found.add(value)
  }
  return found
}

function rangeOf(
  item: string,
  field: Field,
): { readonly from: number; readonly to: number; readonly step: number } | string {
  const [, first, last, every] = /^(\*|\w+)(?:-(\w+))?(?:\/(\d{1,4}))?$/.exec(item) ?? []
  if (first === undefined || (first === '*' && last !== undefined)) return notA(item, field)
  const step = every === undefined ? 1 : Number(every)
  if (step === 0) return `${JSON.stringify(item)}: a step of 0 never goes on`
  if (first === '*') return { from: field.least, to: field.most, step }
  const from = numberOf(first, field)
  const to = last === undefined ? undefined : numberOf(last, field)
  if (from === undefined || (last !== undefined && to === undefined)) return notA(item, field)
  if (to !== undefined && to < from) return `${JSON.stringify(item)} runs backwards`
  return { from, to: to ?? (every === undefined ? from : field.most), step }
}

function numberOf(word: string, { least, most, names }: Field): number | undefined {
  const index = names.indexOf(word.toLowerCase())
  const value = index >= 0 ? index + least : /^\d{1,2}$/.test(word) ? Number(word) : undefined
  return value !== undefined && value >= least && value <= most ? value : undefined
}

function notA(item: string, { name, least, most }: Field): string {
  return `${JSON.stringify(item)} is not a ${name}, ${least} to ${most}`
}
