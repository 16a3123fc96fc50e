/** The engine that runs stacks: Docker, or Podman in Docker's words. In a release a file of its own. */
import { dockerAt } from '#clients/docker/client.ts'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { logsOf } from '#clients/docker/logs.ts'
import { stacksKind, stacksTarget } from '#domains/stacks/domain.ts'
import { Problem } from '#model/problem.ts'
import { found, nowhere, type Connected } from '../nowhere.ts'

export function connectStacks(target: string | undefined): Connected {
  const place = found(() => findEngine(surroundings(target)))
  if (place instanceof Problem) return nowhere(stacksKind, place)
  const client = dockerAt(place)
  return {
    kind: stacksKind,
    target: stacksTarget(client),
    recall: async () => [],
    async *logs(object, { tail, follows }, signal) {
      const wanted = { isFollowed: follows, ...(tail === undefined ? {} : { tail }) }
      for await (const { line } of await logsOf(client, object, wanted, signal)) yield line
    },
    close: () => client.close(),
  }
}
