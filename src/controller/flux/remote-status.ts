/** The bases on other machines that a set was built from, in its status: each with the commit that it is pinned to. */
import { recordsOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { BaseFetched } from '#sources/remote-bases.ts'
import type { FluxObject } from './kinds.ts'

export function pinnedIn(one: FluxObject | undefined, address: string): string | undefined {
  const found = recordsOf(one?.status['remoteBases']).find(({ url }) => url === address)
  const commit = textOf(found?.['commit'])
  return commit === '' ? undefined : commit
}

export function remoteStatus(
  remotes: ReadonlyMap<string, BaseFetched> | undefined,
): readonly JsonRecord[] | undefined {
  return remotes && [...remotes].map(([url, { commit }]) => ({ url, commit }))
}
