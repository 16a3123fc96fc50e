/** What is kept with a run among its secrets, encrypted: the values it was rendered with, and what it was rendered from. */
import type { Release, ValueLayer } from '#domains/charts/chart-input.ts'
import { isList, isRecord } from '#model/json.ts'
import type { StoredSnapshot } from '#model/store.ts'
import { vaultOf, type Vault } from '#model/vault.ts'

export type RunInputs = {
  readonly layers: readonly ValueLayer[]
  /** The hash of everything that a faultless render depended on: equal hashes give equal renders. */
  readonly rendering: string | undefined
  /** What templates of a chart saw of the release, and the hash of what it was rendered from. */
  readonly release?: Release & { readonly inputs: string }
  /** The rendered NOTES.txt. */
  readonly message?: string
  /** The variables that a Compose file named. */
  readonly environment: Readonly<Record<string, string>>
}

/** The id under which they are kept. No id of a secret in a spec looks like it, and stored runs have it, so it stays. */
const place = 'tend: keepsake'

export function withRunInputs(vault: Vault, runInputs: RunInputs, seed: Uint8Array): Vault {
  const text = new TextEncoder().encode(JSON.stringify(runInputs))
  return vaultOf(new Map([...vault.contents(), [place, text]]), seed)
}

const nothing: RunInputs = { layers: [], rendering: undefined, environment: {} }

/** What cannot be read counts as nothing. */
export function runInputsOf(snapshot: StoredSnapshot | undefined): RunInputs {
  const bytes = snapshot?.secrets.get(place)
  if (bytes === undefined) return nothing
  const content: unknown = JSON.parse(new TextDecoder().decode(bytes))
  const kept = isRecord<unknown>(content) ? content : {}
  const { layers, rendering, environment, message } = kept
  const release = releaseOf(kept['release'])
  return {
    layers: isList<ValueLayer>(layers) ? layers : [],
    rendering: typeof rendering === 'string' ? rendering : undefined,
    environment: isRecord<string>(environment) ? environment : {},
    ...(release === undefined ? {} : { release }),
    ...(typeof message === 'string' ? { message } : {}),
  }
}

function releaseOf(kept: unknown): RunInputs['release'] {
  if (!isRecord<unknown>(kept)) return undefined
  const { isInstall, revision, inputs } = kept
  if (typeof isInstall !== 'boolean' || typeof revision !== 'number') return undefined
  return { isInstall, revision, inputs: typeof inputs === 'string' ? inputs : '' }
}
