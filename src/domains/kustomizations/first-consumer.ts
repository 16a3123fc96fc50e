/** Claims that are bound only when a pod uses them: until then nothing is amiss with them. */
import { recordOf, textOf } from '#clients/http/read.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#clients/kubernetes/place.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Site } from './memory.ts'

/** Whether it is such a claim, and no pod uses it yet. */
export async function waitsForConsumer(
  site: Site,
  claim: JsonRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const isClaim = claim['apiVersion'] === 'v1' && claim['kind'] === 'PersistentVolumeClaim'
  const name = textOf(recordOf(claim['spec'])['storageClassName'])
  const isUsed = 'volume.kubernetes.io/selected-node' in metadataOf(claim).annotations
  if (!isClaim || name === '' || isUsed) return false
  const kind = await site.discovery.need('storage.k8s.io/v1', 'StorageClass', signal)
  const storage = await getObject(site.kubernetes, { kind, namespace: '', name }, signal)
  return storage?.['volumeBindingMode'] === 'WaitForFirstConsumer'
}
