/** Claims that are bound only when a pod uses them: until then nothing is amiss with them. */
import { recordOf, textOf } from '#model/read-json.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import type { JsonRecord } from '#model/json.ts'
import type { SetContext } from '../memory.ts'

/** Whether it is such a claim, and no pod uses it yet. */
export async function waitsForConsumer(
  context: SetContext,
  claim: JsonRecord,
  signal: AbortSignal,
): Promise<boolean> {
  const isClaim = claim['apiVersion'] === 'v1' && claim['kind'] === 'PersistentVolumeClaim'
  const name = textOf(recordOf(claim['spec'])['storageClassName'])
  const isUsed = 'volume.kubernetes.io/selected-node' in metadataOf(claim).annotations
  if (!isClaim || name === '' || isUsed) return false
  const kind = await context.discovery.need('storage.k8s.io/v1', 'StorageClass', signal)
  const storage = await getObject(context.kubernetes, { kind, namespace: '', name }, signal)
  return storage?.['volumeBindingMode'] === 'WaitForFirstConsumer'
}
