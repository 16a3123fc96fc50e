/** A change of an object carries what was seen of it: the API server refuses one that comes late, over what another one wrote since. */
import { recordOf } from '#model/read-json.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { JsonRecord } from '#model/json.ts'
import { factsOf, Problem, problemOf } from '#model/problem.ts'

/** What is applied over an object that was seen. One that was not there is made, or joined with whoever made it meanwhile. */
export function onlyAsSeen(live: JsonRecord | undefined, body: JsonRecord): JsonRecord {
  const { uid, resourceVersion } = metadataOf(live ?? {})
  if (uid === '') return body
  return { ...body, metadata: { ...recordOf(body['metadata']), uid, resourceVersion } }
}

/** The preconditions of a delete. */
export function asSeen(live: JsonRecord): {
  readonly uid: string
  readonly resourceVersion: string
} {
  const { uid, resourceVersion } = metadataOf(live)
  return { uid, resourceVersion }
}

/** Another object has the name by now, or it was changed since. */
export function isOutdated(thrown: unknown): boolean {
  const { code, message } = problemOf(thrown)
  return code === 'conflict' && /\buid\b|resourceVersion|has been modified/i.test(message)
}

/** The next attempt looks at it anew, if this run still has the right to. */
export function lookedAgain(thrown: unknown): unknown {
  if (!isOutdated(thrown)) return thrown
  return new Problem({ ...factsOf(problemOf(thrown)), recoverable: true, cause: thrown })
}
