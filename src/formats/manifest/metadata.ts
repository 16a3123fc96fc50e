/** What an object of Kubernetes says of itself under `metadata`. */
import type { JsonRecord } from '#model/json.ts'
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'

export type Metadata = {
  readonly name: string
  readonly namespace: string
  readonly uid: string
  readonly resourceVersion: string
  readonly generation: number
  readonly labels: Readonly<Record<string, string>>
  readonly annotations: Readonly<Record<string, string>>
  readonly isDeleting: boolean
}

export function metadataOf(object: JsonRecord): Metadata {
  const fields = recordOf(object['metadata'])
  return {
    name: textOf(fields['name']),
    namespace: textOf(fields['namespace']),
    uid: textOf(fields['uid']),
    resourceVersion: textOf(fields['resourceVersion']),
    generation: typeof fields['generation'] === 'number' ? fields['generation'] : 0,
    labels: textMapOf(fields['labels']),
    annotations: textMapOf(fields['annotations']),
    isDeleting: textOf(fields['deletionTimestamp']) !== '',
  }
}
