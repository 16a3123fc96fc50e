/** Which version of docker compose to behave like: the one that was named, else the one of this machine, else none in particular. */
import { join } from 'node:path'
import type { Flags } from '../arguments/invocation.ts'
import type { Session } from '../session.ts'

export async function composeVersionOf(
  { project }: Flags,
  { environment, home }: Session,
): Promise<string | undefined> {
  if (project.composeVersion !== undefined) return project.composeVersion
  const { installedCompose } = await import('#clients/docker/installed-compose.ts')
  return installedCompose(environment, join(home, 'compose-version.json'))
}
