/** Time zones: fixed offsets, and the named ones through Intl with the short names Go prints. */
import { shortNames } from './zone-names.ts'

export type Zone =
  | { readonly kind: 'fixed'; readonly name: string; readonly offset: number }
  | { readonly kind: 'named'; readonly name: string }

export const utc: Zone = { kind: 'fixed', name: 'UTC', offset: 0 }

/** undefined for a name that Go's zone files do not have. Local is UTC: renders must not differ by machine. */
export function loadZone(name: string): Zone | undefined {
  if (name === '' || name === 'UTC' || name === 'Local') return utc
  return shortNames(name) === undefined ? undefined : { kind: 'named', name }
}

/** Before railways, 1883, every place went by the sun: its local mean time. */
const standardTime = -2_717_650_800

export function offsetAt(zone: Zone, seconds: number): { offset: number; name: string } {
  if (zone.kind === 'fixed') return { offset: zone.offset, name: zone.name }
  const offset = namedOffset(zone.name, seconds)
  const names = shortNames(zone.name) ?? []
  const found = names.find((each) => each.offset === offset)
  const isSolar = seconds < standardTime && /^(?!Etc\/).*\//.test(zone.name)
  return { offset, name: isSolar ? 'LMT' : (found?.name ?? numericName(offset)) }
}

/** Far from today the calendar of JavaScript ends, and the rules of the last year it knows go on. */
const lastSecond = 8.64e12

function namedOffset(name: string, moment: number): number {
  const seconds = Math.max(-lastSecond, Math.min(lastSecond, moment))
  const parts = new Intl.DateTimeFormat('en-US', {
    timeZone: name,
    timeZoneName: 'longOffset',
  }).formatToParts(seconds * 1000)
  const text = parts.find((part) => part.type === 'timeZoneName')?.value ?? 'GMT'
  const found = /GMT([+-])(\d\d):(\d\d)(?::(\d\d))?/.exec(text)
  if (found === null) return 0
  const size = Number(found[2]) * 3600 + Number(found[3]) * 60 + Number(found[4] ?? 0)
  return found[1] === '-' ? -size : size
}

/** What the zone files call zones without a name of letters: +03, -0230. */
function numericName(offset: number): string {
  const minutes = Math.floor(Math.abs(offset) / 60)
  const rest = minutes % 60 === 0 ? '' : String(minutes % 60).padStart(2, '0')
  return `${offset < 0 ? '-' : '+'}${String(Math.floor(minutes / 60)).padStart(2, '0')}${rest}`
}
