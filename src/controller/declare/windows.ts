/** When an application may be changed: windows that allow and windows that deny, the latter always having the last word. */
import type { Window } from '#model/declaration.ts'
import { cronOf, type Cron } from './cron.ts'
import { day, floored, momentsOn, zoneOf, type Zone } from './wall-time.ts'

export type Opening = {
  readonly isOpen: boolean
  /** When that changes, ms; undefined: not within a year. */
  readonly until: number | undefined
}

type Span = { readonly start: number; readonly end: number }

/** `spans`: what is left of its time from now on, in order and merged. */
type Course = { readonly action: Window['action']; readonly spans: Iterator<Span>; span: Span }

const farthest = 366 * day
const never: Span = { start: Infinity, end: Infinity }

/** Without windows that allow, everything is allowed that no window denies. */
export function isOpen(windows: readonly Window[], now: number): Opening {
  const courses = windows.flatMap((window) => courseOf(window, now) ?? [])
  const hasAllowing = courses.some((course) => course.action === 'allow')
  const openAt = (moment: number) => isOpenAt(courses, hasAllowing, moment)
  const answer = openAt(now)
  for (let moment = now; moment < now + farthest;) {
    moment = nextChange(courses, moment)
    if (moment >= now + farthest) break
    if (openAt(moment) !== answer) return { isOpen: answer, until: moment }
  }
  return { isOpen: answer, until: undefined }
}

function isOpenAt(courses: readonly Course[], hasAllowing: boolean, moment: number): boolean {
  let isAllowed = !hasAllowing
  for (const { action, span } of courses) {
    if (moment < span.start || moment >= span.end) continue
    if (action === 'deny') return false
    isAllowed = true
  }
  return isAllowed
}

/** The next moment at which a window begins or ends. Courses move on to it. */
function nextChange(courses: readonly Course[], after: number): number {
  let next = Infinity
  for (const course of courses) {
    const { span } = course
    next = Math.min(next, span.start > after ? span.start : span.end)
  }
  for (const course of courses) {
    if (course.span.end <= next) course.span = course.spans.next().value ?? never
  }
  return next
}

function courseOf({ schedule, duration, timezone, action }: Window, now: number): Course[] {
  const cron = cronOf(schedule)
  const zone = zoneOf(timezone)
  // checked when it was declared
  if (typeof cron === 'string' || zone === undefined) return []
  const spans = spansOf(cron, zone, duration, now)
  return [{ action, spans, span: spans.next().value ?? never }]
}

/** Spans that touch are one. */
function* spansOf(
  cron: Cron,
  zone: Zone,
  duration: number,
  now: number,
): Generator<Span, undefined> {
  let open: Span | undefined
  for (const start of startsFrom(cron, zone, now - duration, now + farthest)) {
    if (open !== undefined && start <= open.end) {
      open = { start: open.start, end: start + duration }
      continue
    }
    if (open !== undefined) yield open
    open = { start, end: start + duration }
  }
  if (open !== undefined) yield open
  return undefined
}

/** After the first moment given: a window that began just then is over. */
function* startsFrom(cron: Cron, zone: Zone, from: number, to: number): Generator<number> {
  for (let wallDay = floored(from, day) - 2 * day; wallDay <= to + 2 * day; wallDay += day) {
    for (const moment of momentsOn(cron, zone, wallDay)) {
      if (moment > from && moment <= to) yield moment
    }
  }
}
