/** Sprig's date functions; Local is UTC, now is the clock that the caller gave. */
import { GoError } from '../errors.ts'
import {
  anything,
  takes0,
  takes1,
  takes2,
  takes3,
  text,
  time,
  type Context,
  type Func,
} from '../library.ts'
import { durationText, parseDuration, roundDuration } from '../time/duration.ts'
import { formatMoment } from '../time/format.ts'
import {
  fromMilliseconds,
  fromNanoseconds,
  nanosecondsOf,
  zeroSeconds,
  type Moment,
} from '../time/moment.ts'
import { parseMoment } from '../time/parse.ts'
import { loadZone, utc } from '../time/zone.ts'
import type { Time, Value } from '../values.ts'
import { parseInteger } from '../strconv.ts'

const second = 1_000_000_000n
const dateInZone = takes3(text, anything, text, (context, layout, date, zone) =>
  formatIn(context, layout, date, zone),
)
const dateModify = takes2(text, time, (_, by, { moment }) => {
  return valueOf(() => moved(moment, parseDuration(by)), moment)
})
const mustDateModify = takes2(text, time, (_, by, { moment }) =>
  asTime(moved(moment, parseDuration(by))),
)

export const dateFunctions: Readonly<Record<string, Func>> = {
  now: takes0((context) => asTime(fromMilliseconds(context.now(), utc))),
  ago: takes1(anything, (context, date) => {
    const since = nanosecondsOf(nowOf(context)) - nanosecondsOf(momentFrom(context, date, false))
    return durationText(roundDuration(since, second))
  }),
  date: takes2(text, anything, (context, layout, date) => formatIn(context, layout, date, 'Local')),
  dateInZone,
  date_in_zone: dateInZone,
  dateModify,
  date_modify: dateModify,
  mustDateModify,
  must_date_modify: mustDateModify,
  htmlDate: takes1(anything, (context, date) => formatIn(context, '2006-01-02', date, 'Local')),
  htmlDateInZone: takes2(anything, text, (context, date, zone) =>
    formatIn(context, '2006-01-02', date, zone),
  ),
  toDate: takes2(text, text, (_, layout, value) => {
    return valueOf(() => parseMoment(layout, value), { seconds: zeroSeconds, nanos: 0, zone: utc })
  }),
  mustToDate: takes2(text, text, (_, layout, value) => asTime(parseMoment(layout, value))),
  unixEpoch: takes1(time, (_, { moment }) => String(moment.seconds)),
  duration: takes1(anything, (_, value) =>
    durationText(BigInt.asIntN(64, secondsOf(value) * second)),
  ),
  durationRound: takes1(anything, (context, value) => largestUnit(spanOf(context, value))),
}

function asTime(moment: Moment): Time {
  return { kind: 'time', moment }
}

function valueOf(read: () => Moment, fallback: Moment): Time {
  try {
    return asTime(read())
  } catch (error) {
    if (!(error instanceof GoError)) throw error
    return asTime(fallback)
  }
}

function moved(moment: Moment, by: bigint): Moment {
  return fromNanoseconds(nanosecondsOf(moment) + by, moment.zone)
}

function nowOf(context: Context): Moment {
  return fromMilliseconds(context.now(), utc)
}

/** A time, or seconds since 1970 in an int; everything else, floats too, is now. */
function momentFrom(context: Context, date: Value, takesInt32: boolean): Moment {
  if (typeof date === 'bigint') return { seconds: Number(date), nanos: 0, zone: utc }
  if (typeof date === 'object' && date !== null) {
    if (date.kind === 'time') return date.moment
    const isUnix =
      date.kind === 'sized' && (date.type === 'int64' || (takesInt32 && date.type === 'int32'))
    if (isUnix) return { seconds: Number(date.value), nanos: 0, zone: utc }
  }
  return nowOf(context)
}

function formatIn(context: Context, layout: string, date: Value, zone: string): string {
  return formatMoment({ ...momentFrom(context, date, true), zone: loadZone(zone) ?? utc }, layout)
}

function secondsOf(value: Value): bigint {
  if (typeof value === 'string') {
    const read = parseInteger(value, 10) ?? 0n
    const most = (1n << 63n) - 1n
    return read > most ? most : read < -most - 1n ? -most - 1n : read
  }
  return typeof value === 'object' && value?.kind === 'sized' && value.type === 'int64'
    ? value.value
    : 0n
}

function spanOf(context: Context, value: Value): bigint {
  if (typeof value === 'string') {
    try {
      return parseDuration(value)
    } catch {
      // sprig takes what is no duration for none
      return 0n
    }
  }
  if (typeof value !== 'object' || value === null) return 0n
  if (value.kind === 'time') return nanosecondsOf(nowOf(context)) - nanosecondsOf(value.moment)
  return value.kind === 'sized' && value.type === 'int64' ? value.value : 0n
}

const units = [
  ['y', 31_536_000n],
  ['mo', 2_592_000n],
  ['d', 86_400n],
  ['h', 3_600n],
  ['m', 60n],
  ['s', 1n],
] as const

function largestUnit(span: bigint): string {
  const size = span < 0n ? -span : span
  const found = units.find(([, seconds]) => size > seconds * second)
  return found === undefined ? '0s' : `${size / (found[1] * second)}${found[0]}`
}
