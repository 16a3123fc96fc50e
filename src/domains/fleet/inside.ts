/** Objects of ours inside a cluster: a way in, and server-side apply that refuses unknown fields. */
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { JsonRecord } from '#model/json.ts'

/** A way into a cluster of the fleet; closed after use. */
export type Inside = { readonly api: Kubernetes; readonly ca: string | undefined }

export type Ways = {
  /** Throws a problem when nothing is known of the cluster. */
  open(name: string): Inside
  /** Whether the cluster takes this token. One that does not answer says nothing against it. */
  accepts(name: string, token: string, signal: AbortSignal): Promise<boolean>
  sleep(milliseconds: number, signal: AbortSignal): Promise<void>
}

/** An object and where it is. */
export type Placed = readonly [path: string, object: JsonRecord]

export async function applyAll(
  api: Kubernetes,
  objects: readonly Placed[],
  doing: string,
  signal: AbortSignal,
): Promise<void> {
  for (const [path, body] of objects) {
    await api.ask('PATCH', path, {
      query: { fieldManager: 'tend', force: true, fieldValidation: 'Strict' },
      contentType: 'application/apply-patch+yaml',
      body,
      signal,
      doing,
    })
  }
}

/** Those that are gone already are gone. */
export async function removeAll(
  api: Kubernetes,
  paths: readonly string[],
  doing: string,
  signal: AbortSignal,
): Promise<void> {
  for (const path of paths) await api.ask('DELETE', path, { signal, doing, fine: [404] })
}

export function object(
  apiVersion: string,
  kind: string,
  metadata: JsonRecord,
  rest: JsonRecord = {},
): JsonRecord {
  return { apiVersion, kind, metadata, ...rest }
}

/** The label that says that something is a fleet's. */
export const fleetLabel = 'tend-fleet'
