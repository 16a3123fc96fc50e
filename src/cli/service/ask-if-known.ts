/** Asks the service about an application that others may know too. */
import type { ServiceClient } from '#clients/service/client.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { AppStatus } from '#model/service.ts'
import { installedAs, kinds } from '../application/installed.ts'
import type { Flags } from '../arguments/invocation.ts'
import { kustomizationIn } from '../arguments/object-names.ts'
import type { CommandContext } from '../session.ts'
import { findService, withService } from './find.ts'
import { nameWith, whichApp } from './which-app.ts'

type ServiceQuestion = (service: ServiceClient, app: AppStatus) => Promise<number | undefined>

/** Asks the service first, and then what is known here, unless the service says what was meant. */
export async function serviceFirst(
  word: string,
  flags: Flags,
  context: CommandContext,
  work: ServiceQuestion,
  locally: () => Promise<number>,
): Promise<number> {
  let refusal: Problem | undefined
  const told = await askIfKnown(word, flags, context, work, (problem) => (refusal = problem))
  if (told !== undefined) return told
  try {
    return await locally()
  } catch (thrown) {
    const isUnknown = thrown instanceof Problem && unknownCodes.has(thrown.code)
    const isBetter =
      kustomizationIn(word) !== undefined || refusal?.suggestion?.startsWith('did you mean')
    throw isUnknown && isBetter ? (refusal ?? thrown) : thrown
  }
}

const unknownCodes: ReadonlySet<string> = new Set(['not_found', 'chart_unreadable'])

/** Undefined where no service runs or the service does not know the application, unless the user named the service. */
async function askIfKnown(
  word: string,
  flags: Flags,
  { session, signal }: CommandContext,
  work: ServiceQuestion,
  refused: (problem: Problem) => unknown = () => undefined,
): Promise<number | undefined> {
  const address = findService(flags, session)
  if (address === undefined || flags.target !== undefined) return undefined
  const name = nameWith(flags.namespace, word)
  return withService(address, async (service) => {
    const app = await found(service).catch((thrown: unknown) => {
      if (flags.service.server !== undefined) throw thrown
      refused(problemOf(thrown))
      return undefined
    })
    return app === undefined || (await isNameHere(app)) ? undefined : work(service, app)
  })

  /** A word without a namespace may be the whole name of what was installed here by hand: that one is meant then. */
  async function isNameHere({ application }: AppStatus): Promise<boolean> {
    const isNamed = (flags.service.server ?? session.environment['TEND_SERVER']) !== undefined
    const isWhole = application.namespace === null || flags.namespace !== null
    if (isNamed || isWhole || word !== application.name) return false
    const store = (await session.memoryIfAny())?.store
    return (await installedAs({ name: word, namespace: null, kinds }, store)) !== undefined
  }

  async function found(service: ServiceClient): Promise<AppStatus> {
    return whichApp(name, await service.apps(signal))
  }
}

/** The problem of a Kustomization that no service knows: only a service can answer for it. */
export function onlyByService(word: string, instead = ''): Problem {
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no service runs here that knows ${word}`,
    suggestion: `name the one that tends its cluster with --server or TEND_SERVER; one in a cluster is reached by kubectl -n flux-system port-forward svc/tend 8080:80${instead === '' ? '' : `; ${instead}`}`,
  })
}
