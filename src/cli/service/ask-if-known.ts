/** Asks the service about an application that others may know too. */
import type { ServiceClient } from '#clients/service/client.ts'
import type { AppStatus } from '#model/service.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { findService, withService } from './find.ts'
import { whichApp } from './which-app.ts'

/** Undefined where no service runs, or it does not know the application, unless the service was named. */
export async function askIfKnown(
  word: string,
  flags: Flags,
  { session, signal }: Desk,
  work: (service: ServiceClient, app: AppStatus) => Promise<number>,
): Promise<number | undefined> {
  const address = findService(flags, session)
  if (address === undefined || flags.target !== undefined) return undefined
  const name = flags.namespace === null ? word : `${flags.namespace}/${word}`
  return withService(address, async (service) => {
    const app = await found(service).catch((thrown: unknown) => {
      if (flags.service.server !== undefined) throw thrown
      return undefined
    })
    return app === undefined ? undefined : work(service, app)
  })

  async function found(service: ServiceClient): Promise<AppStatus> {
    return whichApp(name, await service.apps(signal))
  }
}
