/** `tend status`: how one application is, or all of them. */
import { isOfCluster } from '#kinds/all.ts'
import { findRunning } from '../application/unknown-app.ts'
import { allInstalled } from '../application/installed.ts'
import { tellOneStatus, tellStatus } from '../application/tell-status.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import { soughtBy } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'

export async function status(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { namespace } = flags
  const [word] = words
  const store = async () => (await context.session.memoryIfAny())?.store
  if (word === undefined) {
    return tellStatus(await allInstalled(namespace, await store()), flags, context)
  }
  const { onlyByService, serviceFirst } = await import('#cli/service/ask-if-known.ts')
  const { tellAppStatus } = await import('#cli/service/tell-app-status.ts')
  let warnings: readonly string[] = []
  return serviceFirst(
    word,
    flags,
    context,
    // what runs on an engine is looked at from here, and told field by field
    async (_service, app) => {
      // why nothing of it is applied only the service knows: its source may be refused
      const refused = app.state === 'failed' && app.reason !== '' ? [app.reason] : []
      warnings = [...refused, ...(app.warnings ?? [])]
      return isOfCluster(app.application) || flags.service.server !== undefined
        ? tellAppStatus(app, flags, context)
        : undefined
    },
    async () => {
      const object = kustomizationIn(word)
      if (object !== undefined) {
        throw onlyByService(word, `tend get kustomizations ${object.name} asks the cluster itself`)
      }
      const memory = await store()
      const sought = await soughtBy(word, namespace, memory)
      const record = await findRunning(sought, flags, context, memory)
      return tellOneStatus(record, flags, context, warnings)
    },
  )
}
