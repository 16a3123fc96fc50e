/** Times to text by a Go layout. */
import { chunks, isFraction } from './layout.ts'
import { civil, type Civil, type Moment } from './moment.ts'

export const monthNames = [
  'January',
  'February',
  'March',
  'April',
  'May',
  'June',
  'July',
  'August',
  'September',
  'October',
  'November',
  'December',
] as const
export const weekdayNames = [
  'Sunday',
  'Monday',
  'Tuesday',
  'Wednesday',
  'Thursday',
  'Friday',
  'Saturday',
] as const

export function formatMoment(moment: Moment, layout: string): string {
  const date = civil(moment)
  return chunks(layout)
    .map(({ element, text }) => (element === '' ? text : show(element, date)))
    .join('')
}

/** Time.String. */
export function momentText(moment: Moment): string {
  return formatMoment(moment, '2006-01-02 15:04:05.999999999 -0700 MST')
}

function show(element: string, date: Civil): string {
  switch (element) {
    case '2006':
      return signed(date.year, 4)
    case '06':
      return two(((date.year % 100) + 100) % 100)
    case 'January':
      return monthNames[date.month - 1] ?? ''
    case 'Jan':
      return (monthNames[date.month - 1] ?? '').slice(0, 3)
    case '1':
      return String(date.month)
    case '01':
      return two(date.month)
    case 'Monday':
      return weekdayNames[date.weekday] ?? ''
    case 'Mon':
      return (weekdayNames[date.weekday] ?? '').slice(0, 3)
    case '2':
      return String(date.day)
    case '_2':
      return String(date.day).padStart(2)
    case '02':
      return two(date.day)
    case '__2':
      return String(date.yearDay).padStart(3)
    case '002':
      return String(date.yearDay).padStart(3, '0')
    case '15':
      return two(date.hour)
    case '3':
      return String(date.hour % 12 || 12)
    case '03':
      return two(date.hour % 12 || 12)
    case '4':
      return String(date.minute)
    case '04':
      return two(date.minute)
    case '5':
      return String(date.second)
    case '05':
      return two(date.second)
    case 'PM':
      return date.hour >= 12 ? 'PM' : 'AM'
    case 'pm':
      return date.hour >= 12 ? 'pm' : 'am'
    case 'MST':
      return date.zoneName === '' ? offset('-0700', date.offset) : date.zoneName
    default:
      return isFraction(element) ? fraction(element, date.nanos) : offset(element, date.offset)
  }
}

function fraction(element: string, nanos: number): string {
  const digits = String(nanos)
    .padStart(9, '0')
    .slice(0, element.length - 1)
    .padEnd(element.length - 1, '0')
  if (element[1] === '0') return `${element[0]}${digits}`
  const short = digits.replace(/0+$/, '')
  return short === '' ? '' : `${element[0]}${short}`
}

function offset(element: string, seconds: number): string {
  if (element.startsWith('Z') && seconds === 0) return 'Z'
  const size = Math.abs(seconds)
  const colon = element.includes(':') ? ':' : ''
  const parts = [two(Math.floor(size / 3600))]
  const digits = element.replace(/[^0-9]/g, '').length
  if (digits > 2) parts.push(two(Math.floor(size / 60) % 60))
  if (digits > 4) parts.push(two(size % 60))
  return `${seconds < 0 ? '-' : '+'}${parts.join(colon)}`
}

function two(value: number): string {
  return String(value).padStart(2, '0')
}

function signed(value: number, width: number): string {
  return (value < 0 ? '-' : '') + String(Math.abs(value)).padStart(width, '0')
}
