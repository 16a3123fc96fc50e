/** What cannot be saved: the dry run and the apply of each object, without a thought, over one connection. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { Discovery } from '#clients/kubernetes/discovery.ts'
import { applyObject } from '#clients/kubernetes/objects.ts'
import { forEachConcurrently } from '#domains/kustomizations/for-each-concurrently.ts'
import { nameOfObject } from '#domains/kustomizations/object.ts'
import type { JsonRecord } from '#model/json.ts'

/** Calls under way at once, ours and the bare ones. */
export const width = 32

const { signal } = new AbortController()

export async function bareCalls(
  kubernetes: Kubernetes,
  discovery: Discovery,
  objects: readonly JsonRecord[],
): Promise<void> {
  for (const isDryRun of [true, false]) {
    await forEachConcurrently(width, objects, async (object) => {
      const { apiVersion, kind: name, ...at } = nameOfObject(object)
      const kind = await discovery.need(apiVersion, name, signal)
      const applying = { signal, manager: 'kustomize-controller', isForced: true, isDryRun }
      await applyObject(kubernetes, { kind, ...at }, object, applying)
    })
  }
}
