/** Windows against a walk minute by minute along the clock on the wall. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Window } from '#model/declaration.ts'
import { cronOf, everComes, isDayOf, type Cron } from './cron.ts'
import { minute } from './wall-time.ts'
import { isOpen } from './windows.ts'

const hour = 60 * minute

function window(over: Partial<Window>): Window {
  return { schedule: '0 2 * * *', duration: hour, timezone: 'UTC', action: 'allow', ...over }
}

function at(text: string): number {
  return Date.parse(text)
}

test('without windows it is always open', () => {
  assert.deepEqual(isOpen([], 0), { isOpen: true, until: undefined })
})

test('a window that allows is open for its duration and not a moment longer', () => {
  const windows = [window({})]
  const until = (text: string) => isOpen(windows, at(text))
  assert.deepEqual(until('2026-05-04T01:59:59Z'), { isOpen: false, until: at('2026-05-04T02:00Z') })
  assert.deepEqual(until('2026-05-04T02:00Z'), { isOpen: true, until: at('2026-05-04T03:00Z') })
  assert.deepEqual(until('2026-05-04T03:00Z'), { isOpen: false, until: at('2026-05-05T02:00Z') })
})

test('deny wins over allow, and alone leaves the rest open', () => {
  const freeze = window({ schedule: '30 2 * * *', action: 'deny' })
  const now = at('2026-05-04T02:00Z')
  assert.deepEqual(isOpen([window({}), freeze], now), {
    isOpen: true,
    until: now + 30 * minute,
  })
  assert.equal(isOpen([window({}), freeze], now + 30 * minute).isOpen, false)
  assert.deepEqual(isOpen([freeze], now + 30 * minute), {
    isOpen: false,
    until: now + 90 * minute,
  })
})

test('a window that is always open does not change', () => {
  const always = window({ schedule: '* * * * *', duration: minute })
  assert.deepEqual(isOpen([always], at('2026-05-04T02:00:30Z')), { isOpen: true, until: undefined })
})

test('a time that is skipped when clocks go forward counts as the moment after', () => {
  const berlin = window({ schedule: '30 2 * * *', timezone: 'Europe/Berlin' })
  const change = at('2026-03-29T01:00Z')
  assert.equal(isOpen([berlin], change - minute).isOpen, false)
  assert.deepEqual(isOpen([berlin], change), { isOpen: true, until: change + hour })
})

test('days follow the wall, not UTC', () => {
  const friday = window({
    schedule: '0 22 * * fri',
    duration: 8 * hour,
    timezone: 'America/New_York',
  })
  // Saturday 02:00 UTC is Friday 22:00 there
  assert.equal(isOpen([friday], at('2026-05-09T02:00Z')).isOpen, true)
  assert.equal(isOpen([friday], at('2026-05-08T22:00Z')).isOpen, false)
})

test('fields: lists, ranges, steps, names; Sunday is 0 and 7', () => {
  const cron = made('*/20 8-10,22 1 jan-mar sun,7')
  assert.deepEqual([...cron.minutes], [0, 20, 40])
  assert.deepEqual([...cron.hours], [8, 9, 10, 22])
  assert.deepEqual([...cron.months], [1, 2, 3])
  assert.deepEqual([...cron.weekdays], [0])
  assert.equal(cron.eitherDay, true)
  assert.deepEqual([...made('5/30 * * * *').minutes], [5, 35])
})

for (const [text, said] of [
  ['0 2 * *', /4 fields, not five/],
  ['', /no fields/],
  ['60 * * * *', /"60" is not a minute, 0 to 59/],
  ['* * 0 * *', /"0" is not a day of the month/],
  ['* * * foo *', /"foo" is not a month/],
  ['*/0 * * * *', /step of 0/],
  ['10-5 * * * *', /backwards/],
  ['@daily', /1 fields/],
] as const) {
  test(`${JSON.stringify(text)} is no schedule`, () => {
    const found = cronOf(text)
    assert.match(typeof found === 'string' ? found : 'taken', said)
  })
}

test('the 30th of February never comes', () => {
  assert.equal(everComes(made('0 0 30 2 *')), false)
  assert.equal(everComes(made('0 0 29 2 *')), true)
  assert.equal(everComes(made('0 0 30 2 mon')), true)
})

function made(text: string): Cron {
  const cron = cronOf(text)
  if (typeof cron === 'string') throw new TypeError(cron)
  return cron
}

/** Zones with gaps, repeats, half hours and days that are missing altogether, and the weeks in which that happens. */
const places: readonly (readonly [string, string])[] = [
  ['UTC', '2026-02-27T00:00Z'],
  ['Europe/Berlin', '2026-03-28T12:00Z'],
  ['Europe/Berlin', '2026-10-24T12:00Z'],
  ['America/New_York', '2026-03-07T20:00Z'],
  ['America/New_York', '2026-10-31T20:00Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00Z'],
  ['Asia/Kathmandu', '2026-12-31T10:00Z'],
  ['Pacific/Apia', '2011-12-29T00:00Z'],
  ['Africa/Cairo', '2026-04-23T12:00Z'],
]

const arbitraryWindow = fc.record({
  schedule: fc
    .tuple(
      fc.constantFrom('*', '0', '30', '*/15', '5,59', '10-20'),
      fc.constantFrom('*', '0', '2', '1-3', '23', '*/6'),
      fc.constantFrom('*', '1', '*/2', '28-31'),
      fc.constantFrom('*', '*', '3,10', 'apr,dec'),
      fc.constantFrom('*', 'sun', '1-5', '6,7'),
    )
    .map((parts) => parts.join(' ')),
  duration: fc.constantFrom(minute, 45 * minute, 3 * hour, 30 * hour),
  action: fc.constantFrom<Window['action']>('allow', 'deny'),
})

test('the same as a walk minute by minute, in every zone and on every odd day', () => {
  fc.assert(
    fc.property(
      fc.constantFrom(...places),
      fc.array(arbitraryWindow, { minLength: 1, maxLength: 3 }),
      fc.integer({ min: 0, max: 36 * 60 }),
      ([timezone, from], parts, offset) => {
        const windows = parts.map((part) => ({ ...part, timezone }))
        const now = at(from) + offset * minute
        const walked = walk(windows, now, 24 * 60)
        const { isOpen: answer, until } = isOpen(windows, now)
        assert.equal(answer, walked[0])
        const change = walked.findIndex((one) => one !== answer)
        if (change >= 0) assert.equal(until, now + change * minute)
        else assert.ok(until === undefined || until >= now + walked.length * minute)
      },
    ),
    { numRuns: 120 },
  )
})

/** Whether it is open at each of so many minutes. */
function walk(windows: readonly Window[], now: number, count: number): readonly boolean[] {
  const longest = Math.max(...windows.map(({ duration }) => duration))
  const ends = windows.map(() => -Infinity)
  const crons = windows.map(({ schedule }) => made(schedule))
  const hasAllowing = windows.some(({ action }) => action === 'allow')
  const read = wall(windows[0]!.timezone)
  const answers: boolean[] = []
  let last = read(now - longest - minute)
  for (let moment = now - longest; moment < now + count * minute; moment += minute) {
    const reading = read(moment)
    const passed = [reading]
    for (let skipped = last + minute; skipped < reading; skipped += minute) passed.push(skipped)
    last = reading
    for (const [index, { duration }] of windows.entries()) {
      if (passed.some((one) => isNamed(crons[index]!, one))) ends[index] = moment + duration
    }
    if (moment < now) continue
    const active = windows.filter((_, index) => moment < ends[index]!)
    const isDenied = active.some(({ action }) => action === 'deny')
    answers.push(!isDenied && (!hasAllowing || active.length > 0))
  }
  return answers
}

function isNamed(cron: Cron, reading: number): boolean {
  const date = new Date(reading)
  return (
    cron.minutes.has(date.getUTCMinutes()) &&
    cron.hours.has(date.getUTCHours()) &&
    isDayOf(cron, {
      year: date.getUTCFullYear(),
      month: date.getUTCMonth() + 1,
      day: date.getUTCDate(),
    })
  )
}

function wall(timeZone: string): (moment: number) => number {
  const format = new Intl.DateTimeFormat('sv-SE', {
    timeZone,
    dateStyle: 'short',
    timeStyle: 'short',
  })
  return (moment) => Date.parse(`${format.format(moment).replace(' ', 'T')}:00Z`)
}
