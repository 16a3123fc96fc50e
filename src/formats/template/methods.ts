/** The methods that templates can call on values: those of times, versions and files. */
import { fileMethods } from './files.ts'
import { text, takes1, type Func } from './library.ts'
import { timeMethods } from './time/methods.ts'
import { versionMethods } from './semver/methods.ts'
import { stringOf } from './stringer.ts'
import { takes0 } from './library.ts'
import { durationMethods } from './time/methods.ts'
import type { Value } from './values.ts'

/** Helm's set of API versions. */
export const versionSet = 'chartutil.VersionSet'

export function methodOf(value: Value, name: string): Func | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'time') return timeMethods(value.moment, name)
  if (value.kind === 'semver') return versionMethods(value.version, name)
  if (value.kind === 'dict') return fileMethods(value, name)
  if (value.kind === 'list' && value.type === versionSet && name === 'Has')
    return takes1(text, (_, wanted) => value.items.includes(wanted))
  if (value.kind !== 'sized') return undefined
  const shown = name === 'String' ? stringOf(value) : undefined
  if (shown !== undefined) return takes0(() => shown)
  return value.type === 'time.Duration' ? durationMethods(value.value, name) : undefined
}
