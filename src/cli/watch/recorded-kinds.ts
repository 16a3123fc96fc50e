/** Kinds as commands use them: what runs is neither confined nor marked as the service's own. */
import { loadKinds } from '#kinds/all.ts'
import type { LoadedKind } from '#model/application-kind.ts'
import type { Connection } from '#model/connection.ts'
import type { Reached } from '../session.ts'

/** `reached` gives the connections that the session made, by kind and target. */
export async function recordedKinds(
  reached: (kind: string, target: string | undefined) => Reached | undefined,
): Promise<readonly LoadedKind[]> {
  const all = await loadKinds()
  return all.map((kind) => ({
    ...kind,
    find: (target) => reached(kind.name, target)?.place ?? { address: target ?? '' },
    connect(place, instance) {
      const connection = reached(kind.name, place.address) ?? kind.connect(place, instance)
      return unmarked({ ...connection, place })
    },
  }))
}

/** The session closes its connections itself. */
function unmarked(connection: Connection): Connection {
  const rest: Connection & { mark?: unknown } = {
    ...connection,
    ports: (owner) => connection.ports(owner),
    close: () => undefined,
  }
  delete rest.mark
  if (connection.restart === undefined) return rest
  return {
    ...rest,
    restart: async (one, wish) => connection.restart?.(one, { ...wish, declared: undefined }),
  }
}
