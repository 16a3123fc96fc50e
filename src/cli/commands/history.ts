/** `tend history`: the runs of an application, newest first. */
import { tellHistory } from '../application/tell-history.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { soughtBy } from '../chart/named.ts'
import type { Desk } from '../session.ts'

export async function history({ words, flags }: Invocation, desk: Desk): Promise<number> {
  const store = (await desk.session.memoryIfAny())?.store
  const [word = ''] = words
  const [, space, name] = /^(?:kustomization|ks)\/(?:([^/]+)\/)?([^/]+)$/.exec(word) ?? []
  if (name !== undefined) {
    const namespace = space ?? flags.namespace ?? 'flux-system'
    return tellHistory({ name, namespace, kinds: ['kustomization'] }, desk)
  }
  return tellHistory(await soughtBy(word, flags.namespace, store), desk)
}
