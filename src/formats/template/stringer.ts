/** The String methods of the types that have one. */
import type { Value } from './values.ts'
import { durationText } from './time/duration.ts'
import { momentText, monthNames, weekdayNames } from './time/format.ts'
import { versionText } from './semver/version.ts'

/** Helm's version of a cluster, which prints as one text. */
export const kubeVersion = 'chartutil.KubeVersion'

function textOf(value: Value | undefined): string | undefined {
  return typeof value === 'string' ? value : undefined
}

/** What fmt prints for a value with a String method; undefined for all others. */
export function stringOf(value: Value): string | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (value.kind === 'time') return momentText(value.moment)
  if (value.kind === 'semver') return versionText(value.version)
  if (value.kind === 'struct' && value.type === kubeVersion)
    return textOf(value.fields.get('Version'))
  if (value.kind !== 'sized') return undefined
  if (value.type === 'time.Duration') return durationText(value.value)
  if (value.type === 'time.Month') return monthNames[Number(value.value) - 1]
  return value.type === 'time.Weekday' ? weekdayNames[Number(value.value)] : undefined
}
