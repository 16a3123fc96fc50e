/** The logs of an application of the service, as the service hands them on. */
import type { ServiceClient } from '#clients/service/client.ts'
import { Problem } from '#model/problem.ts'
import type { AppStatus, ContainerStatus } from '#model/service.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { harmless } from '../views/paint.ts'

export function serviceLogs({ words, flags }: Invocation, context: CommandContext) {
  const [, container = ''] = words
  return async (service: ServiceClient, app: AppStatus): Promise<number> => {
    const wanted = { tail: flags.tail, follows: flags.follows && context.screen.format === 'table' }
    await tell(service, app, container, wanted, context)
    return 0
  }
}

async function tell(
  service: ServiceClient,
  { key }: AppStatus,
  word: string,
  wanted: { readonly tail: number | undefined; readonly follows: boolean },
  { screen, signal }: CommandContext,
): Promise<void> {
  const found = containersNamed(word, key, await service.containers(key, signal))
  const lines: string[] = []
  async function follow({ name }: ContainerStatus): Promise<void> {
    const lead = found.length > 1 ? `${name} | ` : ''
    for await (const line of service.logs(key, name, wanted, signal)) {
      const text = `${lead}${line}`
      if (wanted.follows) screen.print([harmless(text)])
      else lines.push(text)
    }
  }
  if (wanted.follows) await Promise.all(found.map(follow))
  else for (const one of found) await follow(one)
  if (screen.format !== 'table') await screen.document({ lines })
  else screen.print(lines.map(harmless))
}

/** The name of a service stands for all its replicas. */
function containersNamed(
  word: string,
  key: string,
  all: readonly ContainerStatus[],
): readonly ContainerStatus[] {
  if (word === '') return all
  const found = all.filter(({ id, name, service }) => [id, name, service].includes(word))
  // `web-1`, as reasons and plans call it
  const called = found.length > 0 ? found : all.filter(({ name }) => name.endsWith(`-${word}`))
  if (called.length > 0) return called
  const names = [...new Set(all.map(({ service, name }) => service || name))]
  const meant = closest(word, names)
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `${key} has no container named ${JSON.stringify(word)}`,
    suggestion: meant === undefined ? `there are: ${names.join(', ')}` : `did you mean ${meant}?`,
  })
}
