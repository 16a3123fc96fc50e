/** A stack as the service would have applied it: for tests in which many run before the service starts. */
import { stackCraft } from '#controller/crafts/stack.ts'
import { renderStackRequest } from '#controller/render/render-stack.ts'
import type { Shelf } from '#sources/bind-files.ts'
import { keyOf } from '#model/application.ts'
import type { Snapshot } from '#model/source.ts'
import { vaultOf } from '#model/vault.ts'
import { seedOf } from '#store/key.ts'
import type { Running } from '../fake/docker-lists.ts'
import { stackOf } from './serve.ts'

export async function runningStack(
  named: string,
  snapshot: Snapshot,
  around: { readonly since: number; readonly key: Uint8Array; readonly shelf: Shelf },
): Promise<Running> {
  const { since, key, shelf } = around
  const declared = stackOf(named, undefined)
  const { application } = declared
  const seed = seedOf(key, keyOf(application), since)
  const how = { since, seed, shelf, sharesFiles: true }
  const { name, request } = stackCraft.request(declared, snapshot, how)
  if (name !== 'stack') throw new TypeError(`a stack is rendered as ${name}`)
  const { hash, secrets, ...plain } = await renderStackRequest(request)
  return { application, rendered: { ...plain, vault: vaultOf(secrets, seed) }, hash, since }
}
