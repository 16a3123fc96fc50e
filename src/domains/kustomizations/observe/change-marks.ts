/** What tells that an object may no longer be as it was applied. */
import { createHash } from 'node:crypto'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { JsonRecord } from '#model/json.ts'
import { manager } from '../object.ts'
import { ownEntry } from '../operate/own-fields.ts'
import { takenFields } from '../operate/adopt-fields.ts'

/**
 * The server takes a field from us in the managed fields when another changes or removes it, whoever that is: so these, the
 * generation (which counts changes of the spec) and the labels are enough; with them what others wrote and we take from
 * them. Where nothing says that we applied it every
 * write counts.
 */
export function marksOf(object: JsonRecord): string {
  const { uid, generation, labels, resourceVersion, isDeleting } = metadataOf(object)
  const own = ownEntry(object, manager)
  const taken = takenFields(object)
  // the server keeps the order of all of these
  const text = JSON.stringify([uid, generation, labels, isDeleting, own ?? resourceVersion, taken])
  return createHash('sha256').update(text).digest('base64')
}
