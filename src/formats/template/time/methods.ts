/** The methods of time.Time and time.Duration that a template can call. */
import { GoError } from '../errors.ts'
import { int, takes0, takes1, takes3, text, time, type Func, type Param } from '../library.ts'
import { int as toInt, int64, sized, type Time } from '../values.ts'
import { durationText, roundDuration } from './duration.ts'
import { formatMoment, momentText } from './format.ts'
import {
  civil,
  fromNanoseconds,
  momentOf,
  nanosecondsOf,
  zeroSeconds,
  type Moment,
} from './moment.ts'
import { utc } from './zone.ts'

const duration: Param<bigint> = {
  type: 'time.Duration',
  read: (value) => {
    if (typeof value === 'object' && value?.kind === 'sized') return value.value
    throw new GoError('value is not of type time.Duration')
  },
}

export function timeMethods(moment: Moment, name: string): Func | undefined {
  const date = civil(moment)
  const nanoseconds = nanosecondsOf(moment)
  const at = (value: bigint): Time => ({
    kind: 'time',
    moment: fromNanoseconds(value, moment.zone),
  })
  switch (name) {
    case 'String':
      return takes0(() => momentText(moment))
    case 'Format':
      return takes1(text, (_, layout) => formatMoment(moment, layout))
    case 'Unix':
      return takes0(() => int64(moment.seconds))
    case 'UnixMilli':
      return takes0(() => int64(floorDivide(nanoseconds, 1_000_000n)))
    case 'UnixMicro':
      return takes0(() => int64(floorDivide(nanoseconds, 1_000n)))
    case 'UnixNano':
      return takes0(() => int64(nanoseconds))
    case 'Year':
      return takes0(() => toInt(date.year))
    case 'Month':
      return takes0(() => sized('time.Month', BigInt(date.month)))
    case 'Day':
      return takes0(() => toInt(date.day))
    case 'Hour':
      return takes0(() => toInt(date.hour))
    case 'Minute':
      return takes0(() => toInt(date.minute))
    case 'Second':
      return takes0(() => toInt(date.second))
    case 'Nanosecond':
      return takes0(() => toInt(date.nanos))
    case 'YearDay':
      return takes0(() => toInt(date.yearDay))
    case 'Weekday':
      return takes0(() => sized('time.Weekday', BigInt(date.weekday)))
    case 'IsZero':
      return takes0(() => moment.seconds === zeroSeconds && moment.nanos === 0)
    case 'UTC':
    case 'Local':
      return takes0(() => ({ kind: 'time', moment: { ...moment, zone: utc } }))
    case 'Add':
      return takes1(duration, (_, added) => at(nanoseconds + added))
    case 'Sub':
      return takes1(time, (_, other) =>
        sized('time.Duration', nanoseconds - nanosecondsOf(other.moment)),
      )
    case 'AddDate':
      return takes3(int, int, int, (_, years, months, days) => {
        const moved = {
          ...date,
          year: date.year + years,
          month: date.month + months,
          day: date.day + days,
        }
        return { kind: 'time', moment: momentOf(moved, moment.zone) }
      })
    case 'Before':
      return takes1(time, (_, other) => nanoseconds < nanosecondsOf(other.moment))
    case 'After':
      return takes1(time, (_, other) => nanoseconds > nanosecondsOf(other.moment))
    case 'Equal':
      return takes1(time, (_, other) => nanoseconds === nanosecondsOf(other.moment))
    case 'Compare':
      return takes1(time, (_, other) => {
        const difference = nanoseconds - nanosecondsOf(other.moment)
        return difference < 0n ? -1n : difference > 0n ? 1n : 0n
      })
    case 'Truncate':
      return takes1(duration, (_, unit) =>
        at(unit <= 0n ? nanoseconds : nanoseconds - sinceZero(nanoseconds, unit)),
      )
    case 'Round':
      return takes1(duration, (_, unit) =>
        at(unit <= 0n ? nanoseconds : roundTime(nanoseconds, unit)),
      )
    default:
      return undefined
  }
}

export function durationMethods(value: bigint, name: string): Func | undefined {
  switch (name) {
    case 'String':
      return takes0(() => durationText(value))
    case 'Hours':
      return takes0(() => Number(value) / 3.6e12)
    case 'Minutes':
      return takes0(() => Number(value) / 6e10)
    case 'Seconds':
      return takes0(() => Number(value) / 1e9)
    case 'Milliseconds':
      return takes0(() => int64(value / 1_000_000n))
    case 'Microseconds':
      return takes0(() => int64(value / 1_000n))
    case 'Nanoseconds':
      return takes0(() => int64(value))
    case 'Abs':
      return takes0(() => sized('time.Duration', value < 0n ? -value : value))
    case 'Round':
      return takes1(duration, (_, unit) => sized('time.Duration', roundDuration(value, unit)))
    case 'Truncate':
      return takes1(duration, (_, unit) =>
        sized('time.Duration', unit <= 0n ? value : value - (value % unit)),
      )
    default:
      return undefined
  }
}

function floorDivide(value: bigint, divisor: bigint): bigint {
  return value < 0n && value % divisor !== 0n ? value / divisor - 1n : value / divisor
}

/** Go rounds times from the year 1, not from 1970. */
function sinceZero(nanoseconds: bigint, unit: bigint): bigint {
  const total = nanoseconds - BigInt(zeroSeconds) * 1_000_000_000n
  return ((total % unit) + unit) % unit
}

function roundTime(nanoseconds: bigint, unit: bigint): bigint {
  const rest = sinceZero(nanoseconds, unit)
  return rest * 2n < unit ? nanoseconds - rest : nanoseconds + unit - rest
}
