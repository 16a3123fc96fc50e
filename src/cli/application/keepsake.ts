/** What is kept with a run among its secrets, encrypted: the values it was rendered with, and what it was rendered from. */
import type { ValueLayer } from '#domains/charts/chart-input.ts'
import { isList, isRecord } from '#model/json.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { vaultOf, type Vault } from '#model/vault.ts'

export type Keepsake = {
  readonly layers: readonly ValueLayer[]
  /** Hash over all that a render depends on, of a render without a fault: the same again gives the same. */
  readonly rendering: string | undefined
  /** The variables that a Compose file named. */
  readonly environment: Readonly<Record<string, string>>
}

/** No id of a secret in a spec looks like this. */
const place = 'tend: keepsake'

export function withKeepsake(vault: Vault, keepsake: Keepsake, seed: Uint8Array): Vault {
  const text = new TextEncoder().encode(JSON.stringify(keepsake))
  return vaultOf(new Map([...vault.contents(), [place, text]]), seed)
}

const nothing: Keepsake = { layers: [], rendering: undefined, environment: {} }

/** As it was put there by the same program; what can't be read counts as none. */
export function keepsakeOf(snapshot: StoredSnapshot | undefined): Keepsake {
  const bytes = snapshot?.secrets.get(place)
  if (bytes === undefined) return nothing
  const content: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const { layers, rendering, environment } = isRecord<unknown>(content) ? content : {}
  return {
    layers: isList<ValueLayer>(layers) ? layers : [],
    rendering: typeof rendering === 'string' ? rendering : undefined,
    environment: isRecord<string>(environment) ? environment : {},
  }
}
