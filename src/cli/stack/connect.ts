/** The engine that runs stacks: Docker, or Podman in Docker's words. In a release a file of its own. */
import { dockerAt } from '#clients/docker/client.ts'
import type { EnginePlace } from '#model/engine-place.ts'
import { findEngine, surroundings } from '#clients/docker/find-engine.ts'
import { logsOf } from '#clients/docker/logs.ts'
import { adoptable, adoptStack } from '#domains/stacks/adopt.ts'
import { stacksKind, stacksSite } from '#domains/stacks/domain.ts'
import { removeMarker, stackHash, writeMarker } from '#domains/stacks/marker.ts'
import { recall } from '#domains/stacks/recall.ts'
import { Problem } from '#model/problem.ts'
import { found, nowhere, type Connected } from '../nowhere.ts'

export function connectStacks(
  target: string | undefined,
  instance: string,
  engine: EnginePlace | undefined,
): Connected {
  const place = engine ?? found(() => findEngine(surroundings(target)))
  if (place instanceof Problem) return nowhere(stacksKind, place)
  const client = dockerAt(place)
  const site = stacksSite(client)
  return {
    kind: stacksKind,
    target: site.target,
    engine: place,
    recall: (signal) => recall(client, instance, signal),
    async *logs(object, { tail, follows }, signal) {
      const wanted = { isFollowed: follows, ...(tail === undefined ? {} : { tail }) }
      for await (const { line } of await logsOf(client, object, wanted, signal)) yield line
    },
    async mark(owner, news, signal) {
      if (news === undefined) return removeMarker(client, owner, signal)
      const { rendered, revision, outcome, at } = news
      await writeMarker(client, { owner, revision, hash: stackHash(rendered), at, outcome }, signal)
    },
    async adopt(rendered, identity, at, signal) {
      if (at !== undefined) return adoptStack(client, rendered, identity, at, signal)
      const { adopted, ...adoption } = await adoptable(client, rendered, identity, signal)
      if (adopted.size > 0) site.asIfAdopted(identity.owner, adopted)
      return adoption
    },
    close: () => client.close(),
  }
}
