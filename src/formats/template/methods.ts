/** The methods that templates can call on values: those of times and of versions. */
import type { Func } from './library.ts'
import { timeMethods } from './time/methods.ts'
import { versionMethods } from './semver/methods.ts'
import { stringOf } from './stringer.ts'
import { takes0 } from './library.ts'
import { durationMethods } from './time/methods.ts'
import type { Value } from './values.ts'

export function methodOf(value: Value, name: string): Func | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'time') return timeMethods(value.moment, name)
  if (value.kind === 'semver') return versionMethods(value.version, name)
  if (value.kind !== 'sized') return undefined
  const shown = name === 'String' ? stringOf(value) : undefined
  if (shown !== undefined) return takes0(() => shown)
  return value.type === 'time.Duration' ? durationMethods(value.value, name) : undefined
}
