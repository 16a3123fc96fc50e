/** What is kept of a live object in an observation: all of it but secrets, of which only salted digests are seen. */
import { createHmac } from 'node:crypto'
import { recordOf, textMapOf, textOf, textsOf } from '#clients/http/read.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { isSecret, nameOfObject } from './object.ts'

export type Sight = {
  readonly object: JsonRecord
  /** A field can't be changed on the living object, and its author allowed another one to take its place. */
  readonly replaceBecause?: string
  /** Others whose fields become ours. */
  readonly taken: readonly string[]
}

export function sightOf(object: JsonRecord, more: Partial<Omit<Sight, 'object'>> = {}): Json {
  return { object, ...more }
}

export function liveOf(live: Json): Sight {
  const fields = recordOf(live)
  const why = textOf(fields['replaceBecause'])
  const more = why === '' ? {} : { replaceBecause: why }
  return { object: recordOf(fields['object']), taken: textsOf(fields['taken']), ...more }
}

/** Those of one salt can be compared. */
export function withoutSecrets(object: JsonRecord, salt: string): JsonRecord {
  if (!isSecret(nameOfObject(object)) || object['data'] === undefined) return object
  const data = Object.entries(textMapOf(object['data'])).map(([key, value]) => {
    const hash = createHmac('sha256', salt).update(value).digest('hex')
    return [key, { digest: `${salt}:${hash}` }]
  })
  return { ...object, data: Object.fromEntries(data) }
}
