/** Objects of ours inside a cluster: a way in, and server-side apply that refuses unknown fields. */
import { recordOf, textMapOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'

/** A way into a cluster of the fleet; closed after use. */
export type Inside = { readonly api: Kubernetes; readonly ca: string | undefined }

export type ClusterConnections = {
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

export type Whose = 'ours' | 'strange' | 'nobody'

/** `nobody`: there is none. */
export async function whoseIs(
  api: Kubernetes,
  path: string,
  fleet: string,
  doing: string,
  signal: AbortSignal,
): Promise<Whose> {
  const said = await api.ask('GET', path, { signal, doing, fine: [404] })
  if (said.status === 404) return 'nobody'
  const labels = textMapOf(recordOf(recordOf(said.body)['metadata'])['labels'])
  return labels[fleetLabel] === fleet ? 'ours' : 'strange'
}

/** What somebody else made is never written over; who wants that says so with a label. */
export async function refuseStrange(
  api: Kubernetes,
  path: string,
  fleet: string,
  doing: string,
  signal: AbortSignal,
): Promise<void> {
  if ((await whoseIs(api, path, fleet, doing, signal)) !== 'strange') return
  const [name = '', kind = ''] = path.split('/').toReversed()
  const namespace = /\/namespaces\/([^/]+)\/./.exec(path)?.[1]
  const where = namespace === undefined ? '' : `-n ${namespace} `
  throw new Problem({
    type: 'runtime',
    code: 'name_taken',
    message: `${doing}: ${kind}/${name} is there already, and it is not this fleet's`,
    suggestion: `remove it, or hand it over: kubectl ${where}label ${kind} ${name} ${fleetLabel}=${fleet}`,
  })
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
