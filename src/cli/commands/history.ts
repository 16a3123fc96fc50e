/** `tend history`: the runs of an application, newest first. */
import { isOfCluster } from '#kinds/all.ts'
import { tellHistory, tellRuns } from '../application/tell-history.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { soughtBy } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'
import { closest } from '../arguments/closest.ts'
import { Problem } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import { harmless } from '../views/paint.ts'

export async function history(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const [word = ''] = words
  const { onlyByService, serviceFirst } = await import('#cli/service/ask-if-known.ts')
  return serviceFirst(
    word,
    flags,
    context,
    async (service, app) => {
      await tellRuns(app.application, await service.runs(app.key, context.signal), context)
      return tellNow(app, context)
    },
    async () => {
      const store = (await context.session.memoryIfAny())?.store
      const object = kustomizationIn(word)
      if (object === undefined) {
        return tellHistory(await soughtBy(word, flags.namespace, store), flags, context)
      }
      const namespace = object.namespace ?? flags.namespace ?? 'flux-system'
      const known = ((await store?.applications()) ?? []).flatMap(({ application: one }) =>
        isOfCluster(one) && one.namespace === namespace ? [one.name] : [],
      )
      if (!known.includes(object.name)) throw unknownSet(object.name, known, onlyByService(word))
      return tellHistory({ name: object.name, namespace, kinds: ['kustomization'] }, flags, context)
    },
  )
}

/** A push that was refused before anything was touched made no run, so its outcome is printed apart. */
function tellNow({ state, reason }: AppStatus, { screen }: CommandContext): number {
  if (state === 'failed' && screen.format === 'table')
    screen.note(`Now: failed: ${harmless(reason)}`)
  return 0
}

function unknownSet(name: string, known: readonly string[], elsewhere: Problem): Problem {
  const meant = closest(name, known)
  if (meant === undefined) return elsewhere
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no kustomization ${JSON.stringify(name)} is known here`,
    suggestion: `did you mean kustomization/${meant}?`,
  })
}
