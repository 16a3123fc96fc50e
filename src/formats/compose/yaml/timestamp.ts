/** Unquoted dates, which YAML takes for points in time: which texts are some, and how they are written again. */

const pattern =
  /^(\d{4})-(\d\d?)-(\d\d?)(?:([Tt ])(\d\d?):(\d\d?):(\d\d?)(?:[.,](\d+))?(Z|[-+]\d\d:\d\d)?)?$/

export function isTimestamp(value: string): boolean {
  const match = pattern.exec(value)
  if (match === null) return false
  const [year, month, day] = [Number(match[1]), Number(match[2]), Number(match[3])]
  if (month < 1 || month > 12 || day < 1) return false
  if (day > new Date(Date.UTC(year, month, 0)).getUTCDate()) return false
  if (match[4] === undefined) return true
  if (Number(match[5]) > 23 || Number(match[6]) > 59 || Number(match[7]) > 59) return false
  return (match[4] === ' ') === (match[9] === undefined)
}

/** With a time, and in UTC when no zone was given. */
export function jsonTime(value: string): string {
  const { date, time, zone } = partsOf(value)
  return `${date}T${time}${zone}`
}

/** As a date reads when it is made part of a text. */
export function plainTime(value: string): string {
  const { date, time, zone } = partsOf(value)
  const offset = zone.replace(':', '')
  return `${date} ${time} ${zone === 'Z' ? '+0000 UTC' : `${offset} ${offset}`}`
}

function partsOf(value: string): { date: string; time: string; zone: string } {
  const match = pattern.exec(value) ?? []
  const two = (part: string | undefined) => (part ?? '').padStart(2, '0')
  const fraction = (match[8] ?? '').replace(/0+$/, '')
  return {
    date: `${match[1]}-${two(match[2])}-${two(match[3])}`,
    time: `${two(match[5])}:${two(match[6])}:${two(match[7])}${fraction === '' ? '' : `.${fraction}`}`,
    zone: match[9] ?? 'Z',
  }
}
