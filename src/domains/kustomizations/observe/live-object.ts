/** What is kept of a live object in an observation: all of it but secrets, of which only salted digests are seen. */
import { createHmac } from 'node:crypto'
import { recordOf, textMapOf, textOf, textsOf } from '#model/read-json.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Value } from '#model/value.ts'
import { isSecret, nameOfObject } from '../object.ts'
import { hidden } from '../taint.ts'

type LiveObject = {
  readonly object: JsonRecord
  /** A field can't be changed on the living object, and its author allowed another one to take its place. */
  readonly replaceBecause?: string
  /** Others whose fields become ours. */
  readonly taken: readonly string[]
}

export function liveObjectJson(
  object: JsonRecord,
  more: Partial<Omit<LiveObject, 'object'>> = {},
): Json {
  return { object, ...more }
}

export function liveOf(live: Json): LiveObject {
  const fields = recordOf(live)
  const why = textOf(fields['replaceBecause'])
  const more = why === '' ? {} : { replaceBecause: why }
  return { object: recordOf(fields['object']), taken: textsOf(fields['taken']), ...more }
}

/** Those of one salt can be compared. */
export function withoutSecrets(object: JsonRecord, salt: string, spec: Value = null): JsonRecord {
  const plain = hidden(object, spec, salt)
  return isSecret(nameOfObject(object)) ? withoutData(object, plain, salt) : plain
}

function withoutData(object: JsonRecord, plain: JsonRecord, salt: string): JsonRecord {
  if (object['data'] === undefined) return plain
  const data = Object.entries(textMapOf(object['data'])).map(([key, value]) => {
    const hash = createHmac('sha256', salt).update(value).digest('hex')
    return [key, { digest: `${salt}:${hash}` }]
  })
  return { ...plain, data: Object.fromEntries(data) }
}
