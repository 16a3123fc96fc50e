/** Times in words: how long ago, how long it took, and the exact moment in the viewer's own way. */

const units = [
  ['day', 86_400_000],
  ['hour', 3_600_000],
  ['minute', 60_000],
] as const

export function ago(at: number, now: number, locale?: string): string {
  const past = now - at
  const size = Math.abs(past)
  if (size < 45_000) return past >= -5000 ? 'just now' : 'in a moment'
  const words = new Intl.RelativeTimeFormat(locale, { numeric: 'always', style: 'short' })
  for (const [unit, length] of units) {
    if (size >= length || unit === 'minute') {
      return words.format(-Math.round(past / length), unit)
    }
  }
  return ''
}

export function exact(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { dateStyle: 'medium', timeStyle: 'medium' }).format(at)
}

export function clock(at: number, locale?: string): string {
  return new Intl.DateTimeFormat(locale, { timeStyle: 'medium' }).format(at)
}

export function lasted(milliseconds: number): string {
  if (milliseconds < 1000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min ${Math.round(seconds % 60)} s`
  return `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}
