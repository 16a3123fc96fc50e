/** What answers in Docker's words, and how large its machine is. */
import { numberOf, recordOf, recordsOf, textOf } from '#model/read-json.ts'
import type { EngineAbout } from '#model/connection.ts'
import type { Docker } from './client.ts'

export async function aboutDocker(docker: Docker, signal: AbortSignal): Promise<EngineAbout> {
  const doing = 'could not ask the engine about itself'
  const [info, version] = await Promise.all([
    docker.ask('GET', '/info', { signal, doing }),
    docker.ask('GET', '/version', { signal, doing }),
  ])
  const { NCPU, MemTotal } = recordOf(info.body)
  const about = recordOf(version.body)
  const isPodman = recordsOf(about['Components']).some((one) => /podman/i.test(textOf(one['Name'])))
  return {
    engine: isPodman ? 'podman' : 'docker',
    version: textOf(about['Version']),
    processors: numberOf(NCPU),
    memory: numberOf(MemTotal),
  }
}
