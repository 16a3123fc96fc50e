/** Times from text by a Go layout, with Go's errors. */
import { GoError } from '../errors.ts'
import { monthNames, weekdayNames } from './format.ts'
import { chunks, isFraction } from './layout.ts'
import { daysInMonth, momentOf, type Moment } from './moment.ts'
import { quoteBytes } from './parse-error.ts'
import { utc, type Zone } from './zone.ts'

/** What was read so far; undefined is not given. */
type Fields = {
  year: number
  month: number | undefined
  day: number | undefined
  yearDay: number | undefined
  hour: number
  minute: number
  second: number
  nanos: number
  half: 'am' | 'pm' | undefined
  isUtc: boolean
  offset: number | undefined
  zoneName: string
}

export function parseMoment(layout: string, text: string): Moment {
  const fields: Fields = {
    year: 0,
    month: undefined,
    day: undefined,
    yearDay: undefined,
    hour: 0,
    minute: 0,
    second: 0,
    nanos: 0,
    half: undefined,
    isUtc: false,
    offset: undefined,
    zoneName: '',
  }
  const about = `parsing time ${quoteBytes(text)}`
  let rest = text
  const parts = chunks(layout)
  parts.forEach((part, index) => {
    const held = rest
    const next = parts[index + 1]?.element ?? ''
    const left =
      part.element === '' ? skip(rest, part.text) : read(part.element, rest, fields, next)
    if (typeof left === 'string') {
      rest = left
      return
    }
    if (left !== undefined) throw new GoError(`${about}: ${left.range} out of range`)
    const value = part.element === '' ? skipped(held, part.text) : held
    const wanted = part.element === '' ? skippedPrefix(held, part.text) : part.element
    throw new GoError(
      `${about} as ${quoteBytes(layout)}: cannot parse ${quoteBytes(value)} as ${quoteBytes(wanted)}`,
    )
  })
  if (rest !== '') throw new GoError(`${about}: extra text: ${quoteBytes(rest)}`)
  return finish(fields, about)
}

/** The text after this element; undefined when it does not fit, a range when a number is too large. */
type ParsedPart = string | undefined | { readonly range: string }

function read(element: string, text: string, fields: Fields, next: string): ParsedPart {
  switch (element) {
    case '06': {
      const found = /^(?:\d\d|[+-]\d)/.exec(text)
      if (found === null) return undefined
      fields.year = Number(found[0]) + (Number(found[0]) >= 69 ? 1900 : 2000)
      return text.slice(2)
    }
    case '2006': {
      const found = /^\d{4}/.exec(text)
      if (found === null) return undefined
      fields.year = Number(found[0])
      return text.slice(4)
    }
    case 'Jan':
    case 'January': {
      const names = monthNames.map((name) => (element === 'Jan' ? name.slice(0, 3) : name))
      return named(text, names, (index) => (fields.month = index + 1))
    }
    case 'Mon':
    case 'Monday':
      return named(
        text,
        weekdayNames.map((name) => (element === 'Mon' ? name.slice(0, 3) : name)),
        () => 0,
      )
    case '1':
    case '01':
      return number(text, element === '01', 1, 12, 'month', (value) => (fields.month = value))
    case '2':
    case '_2':
    case '02': {
      const start = element === '_2' && text[0] === ' ' ? text.slice(1) : text
      return number(start, element === '02', 0, 99, '', (value) => (fields.day = value))
    }
    case '002':
    case '__2': {
      const start = element === '__2' ? text.replace(/^ {1,2}/, '') : text
      const found = (element === '002' ? /^\d{3}/ : /^\d{1,3}/).exec(start)
      if (found === null) return undefined
      fields.yearDay = Number(found[0])
      return start.slice(found[0].length)
    }
    case '15':
      return number(text, false, 0, 23, 'hour', (value) => (fields.hour = value))
    case '3':
    case '03':
      return number(text, element === '03', 0, 12, 'hour', (value) => (fields.hour = value))
    case '4':
    case '04':
      return number(text, element === '04', 0, 59, 'minute', (value) => (fields.minute = value))
    case '5':
    case '05': {
      const left = number(
        text,
        element === '05',
        0,
        59,
        'second',
        (value) => (fields.second = value),
      )
      if (typeof left !== 'string' || isFraction(next)) return left
      return fraction(left, fields)
    }
    case 'PM':
    case 'pm': {
      const word = text.slice(0, 2)
      const [afternoon, morning] = element === 'PM' ? ['PM', 'AM'] : ['pm', 'am']
      if (word !== afternoon && word !== morning) return undefined
      fields.half = word === afternoon ? 'pm' : 'am'
      return text.slice(2)
    }
    case 'MST':
      return zoneName(text, fields)
    default:
      break
  }
  if (!isFraction(element)) return offset(element, text, fields)
  if (element[1] === '0') return nanos(text, element.length, fields)
  return fraction(text, fields)
}

function number(
  text: string,
  isFixed: boolean,
  least: number,
  most: number,
  range: string,
  keep: (value: number) => void,
): ParsedPart {
  const found = (isFixed ? /^\d\d/ : /^\d\d?/).exec(text)
  if (found === null) return undefined
  const value = Number(found[0])
  if (value < least || value > most) return { range }
  keep(value)
  return text.slice(found[0].length)
}

function named(text: string, names: readonly string[], keep: (index: number) => void): ParsedPart {
  const index = names.findIndex(
    (name) => text.slice(0, name.length).toLowerCase() === name.toLowerCase(),
  )
  if (index < 0) return undefined
  keep(index)
  return text.slice(names[index]?.length)
}

/** A fraction of any length, where there is one. */
function fraction(text: string, fields: Fields): ParsedPart {
  const [digits] = /^[.,]\d+/.exec(text) ?? []
  return digits === undefined ? text : nanos(text, digits.length, fields)
}

/** A fraction of this length, the sign before it included. */
function nanos(text: string, length: number, fields: Fields): ParsedPart {
  const digits = text.slice(0, length)
  if (digits.length < length || !/^[.,]\d+$/.test(digits)) return undefined
  fields.nanos = Number(digits.slice(1, 10).padEnd(9, '0'))
  return text.slice(length)
}

const offsetForms: ReadonlyMap<string, RegExp> = new Map([
  ['07', /^([+-])(\d\d)/],
  ['0700', /^([+-])(\d\d)(\d\d)/],
  ['07:00', /^([+-])(\d\d):(\d\d)/],
  ['070000', /^([+-])(\d\d)(\d\d)(\d\d)/],
  ['07:00:00', /^([+-])(\d\d):(\d\d):(\d\d)/],
])

function offset(element: string, text: string, fields: Fields): ParsedPart {
  if (element.startsWith('Z') && text.startsWith('Z')) {
    fields.isUtc = true
    return text.slice(1)
  }
  const found = offsetForms.get(element.slice(1))?.exec(text)
  if (found === null || found === undefined) return undefined
  const [hours, minutes, seconds] = [Number(found[2]), Number(found[3] ?? 0), Number(found[4] ?? 0)]
  if (hours > 24) return { range: 'time zone offset hour' }
  if (minutes > 60) return { range: 'time zone offset minute' }
  if (seconds > 60) return { range: 'time zone offset second' }
  fields.offset = ((hours * 60 + minutes) * 60 + seconds) * (found[1] === '-' ? -1 : 1)
  return text.slice(found[0].length)
}

function zoneName(text: string, fields: Fields): ParsedPart {
  if (text.startsWith('UTC')) {
    fields.isUtc = true
    return text.slice(3)
  }
  const found = /^(?:ChST|MeST|GMT(?:[+-]\d{1,2})?|[+-]\d\d(?:\d\d)?|[A-Z]+)/.exec(text)?.[0]
  if (found === undefined || text.length < 3) return undefined
  if (/^[A-Z]+$/.test(found) && !/^(?:[A-Z]{3}|[A-Z]{3}T|WITA|[A-Z]{4}T)$/.test(found))
    return undefined
  fields.zoneName = found
  return text.slice(found.length)
}

function finish(fields: Fields, about: string): Moment {
  const hour =
    fields.half === 'pm' && fields.hour < 12
      ? fields.hour + 12
      : fields.half === 'am' && fields.hour === 12
        ? 0
        : fields.hour
  const { year } = fields
  let { month, day } = fields
  if (fields.yearDay !== undefined) {
    const last = daysInMonth(year, 2) === 29 ? 366 : 365
    if (fields.yearDay < 1 || fields.yearDay > last)
      throw new GoError(`${about}: day-of-year out of range`)
    let monthOf = 1
    let dayOf = fields.yearDay
    while (dayOf > daysInMonth(year, monthOf)) dayOf -= daysInMonth(year, monthOf++)
    if (month !== undefined && month !== monthOf)
      throw new GoError(`${about}: day-of-year does not match month`)
    if (day !== undefined && day !== dayOf)
      throw new GoError(`${about}: day-of-year does not match day`)
    month = monthOf
    day = dayOf
  }
  month ??= 1
  day ??= 1
  if (day < 1 || day > daysInMonth(year, month)) throw new GoError(`${about}: day out of range`)
  const date = {
    year,
    month,
    day,
    hour,
    minute: fields.minute,
    second: fields.second,
    nanos: fields.nanos,
  }
  return momentOf(date, zoneOf(fields))
}

function zoneOf({ isUtc, offset: seconds, zoneName: name }: Fields): Zone {
  if (isUtc || (seconds === 0 && (name === '' || name === 'UTC'))) return utc
  if (seconds !== undefined) return { kind: 'fixed', name, offset: seconds }
  if (name === '') return utc
  const hours = name.length > 3 && name.startsWith('GMT') ? Number(name.slice(3)) : 0
  return { kind: 'fixed', name, offset: hours * 3600 }
}

/** Any run of spaces in the layout stands for any run of spaces. */
function skip(text: string, prefix: string): string | undefined {
  let left = text
  for (let at = 0; at < prefix.length;) {
    if (prefix[at] === ' ') {
      if (left !== '' && left[0] !== ' ') return undefined
      while (prefix[at] === ' ') at++
      left = left.replace(/^ +/, '')
    } else {
      if (left[0] !== prefix[at]) return undefined
      left = left.slice(1)
      at++
    }
  }
  return left
}

/** Go names the text as it stood when the literal stopped matching. */
function skipped(text: string, prefix: string): string {
  for (let length = prefix.length - 1; length > 0; length--) {
    const left = skip(text, prefix.slice(0, length))
    if (left !== undefined) return left
  }
  return text
}

function skippedPrefix(_text: string, prefix: string): string {
  return prefix
}
