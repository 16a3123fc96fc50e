/** The formats of texts that schemas up to draft 7 may ask for; an unknown one is let be. */
import { goRegExp } from '../regexp/go-regexp.ts'
import { PatternError } from '../regexp/error.ts'

const day = /^(\d{4})-(\d\d)-(\d\d)$/
const clock = /^(\d\d):(\d\d):(\d\d)(?:\.\d+)?(?:[zZ]|[+-](\d\d):(\d\d))$/

const formats: ReadonlyMap<string, (text: string) => boolean> = new Map([
  ['date', isDay],
  ['time', isClock],
  [
    'date-time',
    (text) => isDay(text.slice(0, 10)) && /^[tT]$/.test(text[10] ?? '') && isClock(text.slice(11)),
  ],
  ['email', (text) => /^[^\s@]+@[^\s@]+$/.test(text)],
  ['hostname', isHostName],
  ['ipv4', isIPv4],
  ['ip-address', isIPv4],
  ['ipv6', isIPv6],
  ['uri', (text) => /^[a-z][a-z0-9+.-]*:/i.test(text) && isReference(text)],
  ['uri-reference', isReference],
  ['uuid', (text) => /^[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)],
  ['regex', isPattern],
  ['json-pointer', (text) => /^(?:\/(?:[^~/]|~[01])*)*$/.test(text)],
])

export function fitsFormat(format: string, text: string): boolean {
  return formats.get(format)?.(text) ?? true
}

function isDay(text: string): boolean {
  const [, year, month, date] = day.exec(text) ?? []
  if (year === undefined) return false
  const found = new Date(Date.UTC(Number(year), Number(month) - 1, Number(date)))
  return found.getUTCMonth() === Number(month) - 1 && found.getUTCDate() === Number(date)
}

function isClock(text: string): boolean {
  const [, hour, minute, second, offsetHour = '0', offsetMinute = '0'] = clock.exec(text) ?? []
  if (hour === undefined) return false
  const isInDay = Number(hour) < 24 && Number(minute) < 60 && Number(second) <= 60
  return isInDay && Number(offsetHour) < 24 && Number(offsetMinute) < 60
}

function isHostName(text: string): boolean {
  if (text.length > 253) return false
  return text.split('.').every((part) => /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/i.test(part))
}

/** Letters that an address may have, with whole percent escapes. */
function isReference(text: string): boolean {
  return /^(?:[\w\-.~:/?#[\]@!$&'()*+,;=]|%[0-9a-f]{2})*$/i.test(text)
}

function isPattern(text: string): boolean {
  try {
    goRegExp(text)
    return true
  } catch (error) {
    if (error instanceof PatternError) return false
    throw error
  }
}

function isIPv4(text: string): boolean {
  const parts = text.split('.')
  return (
    parts.length === 4 &&
    parts.every((part) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256)
  )
}

function isIPv6(text: string): boolean {
  return /^[0-9a-f:.]+$/i.test(text) && URL.canParse(`http://[${text}]`)
}
