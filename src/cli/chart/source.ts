/** What is kept with a run of where it came from. Values may hold secrets: they go with the secrets, sealed. */
import type { ValueLayer } from '#domains/charts/chart-input.ts'
import { isList, isRecord, type Json } from '#model/json.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { vaultOf, type Vault } from '#model/vault.ts'

export type Source = {
  /** Absolute. */
  readonly path: string | null
  /** Variables of the environment that secrets may read. */
  readonly allowEnv: readonly string[]
}

export function sourceOf(content: Json | undefined): Source {
  const record = isRecord<Json>(content) ? content : {}
  const { path, allowEnv } = record
  const names = isList<Json>(allowEnv) ? allowEnv : []
  return {
    path: typeof path === 'string' ? path : null,
    allowEnv: names.filter((name) => typeof name === 'string'),
  }
}

/** No id of a secret in a spec looks like this. */
const place = 'tend: values'

export function withLayers(vault: Vault, layers: readonly ValueLayer[], key: Uint8Array): Vault {
  if (layers.length === 0) return vault
  const text = new TextEncoder().encode(JSON.stringify(layers))
  return vaultOf(new Map([...vault.contents(), [place, text]]), key)
}

/** As they were put there by the same program; what can't be read counts as none. */
export function layersOf(snapshot: StoredSnapshot | undefined): readonly ValueLayer[] {
  const bytes = snapshot?.secrets.get(place)
  if (bytes === undefined) return []
  const layers: unknown = JSON.parse(new TextDecoder().decode(bytes))
  return isList<ValueLayer>(layers) ? layers : []
}
