/** What `look` needs to know of a resource: which container it is, and when it counts as well. */
import { textOf } from '#model/read-json.ts'
import { parseDuration } from '#formats/compose/canonical/units.ts'
import { isRecord, type Json } from '#model/json.ts'
import { isOneShot, restartOf } from '../compare/drift.ts'
import type { RecordedService } from '../spec-of.ts'

export type Subject = {
  readonly name: string
  /** Ending well is well. */
  readonly isOneShot: boolean
  /** The engine starts it again when it ends: one end is not yet a failure. */
  readonly restarts: boolean
  /** For engines that run checks only when asked, ms. */
  readonly health: {
    readonly interval: number
    readonly startPeriod: number
    readonly retries: number
  }
  /** It was not well before: what is said of its health before this time, ms, is not the last word. */
  readonly patientUntil?: number
}

/** What one more check takes beside its interval, ms. */
const oneMoreCheck = 5_000

/** `unwellAt`: when it was seen not to be well. */
export function subjectOf(spec: RecordedService, name: string, unwellAt?: number): Json {
  const { healthcheck: check = {} } = spec.service
  const milliseconds = (field: 'interval' | 'start_period', otherwise: number): number => {
    const duration = parseDuration(textOf(check[field]))
    return duration === undefined ? otherwise : Number(duration) / 1e6
  }
  const interval = milliseconds('interval', 30_000)
  return {
    name,
    isOneShot: isOneShot(spec),
    restarts: restartOf(spec) !== 'no',
    ...(unwellAt === undefined ? {} : { patientUntil: unwellAt + interval + oneMoreCheck }),
    health: {
      interval,
      startPeriod: milliseconds('start_period', 0),
      retries: check.retries || 3,
    },
  } satisfies Subject
}

export function readSubject(json: Json): Subject | undefined {
  return isSubject(json) ? json : undefined
}

function isSubject(json: Json): json is Subject & Json {
  return isRecord<Json>(json) && typeof json['name'] === 'string' && isRecord(json['health'])
}
