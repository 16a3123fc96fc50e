/** A stack as the service would have applied it: for tests in which many run before the service starts. */
import { stacks } from '#kinds/stacks.ts'
import { loadedStacks } from '#kinds/stacks/load.ts'
import type { BindFiles } from '#model/bind-files.ts'
import { keyOf } from '#model/application.ts'
import type { Snapshot } from '#model/source.ts'
import { vaultOf } from '#model/vault.ts'
import { seedOf } from '#store/key.ts'
import type { Running } from '../fake/docker-lists.ts'
import { stackOf } from './serve.ts'

export async function runningStack(
  named: string,
  snapshot: Snapshot,
  around: { readonly since: number; readonly key: Uint8Array; readonly bindFiles: BindFiles },
): Promise<Running> {
  const { since, key, bindFiles } = around
  const declared = stackOf(named, undefined)
  const { application } = declared
  const seed = seedOf(key, keyOf(application), since)
  const how = { since, seed, bindFiles, sharesFiles: true }
  const answer = await stacks.render?.(loadedStacks.request(declared, snapshot, how))
  if (answer === undefined) throw new TypeError('stacks are rendered from files')
  const { hash, secrets, ...plain } = answer
  return { application, rendered: { ...plain, vault: vaultOf(secrets, seed) }, hash, since }
}
