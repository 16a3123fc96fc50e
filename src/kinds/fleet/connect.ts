/** One fleet's table and all that its clusters run on, for whoever looks after it all the time. */
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { renderFleet } from '#domains/fleet/render/render.ts'
import type { FleetContext, RunOptions } from '#domains/fleet/fleet-context.ts'
import { verified, type VerifyRecord } from '#domains/fleet/look/verify.ts'
import { preview } from '#engine/preview.ts'
import type { Health } from '#model/assessment.ts'
import type { KindAround, ServiceConnection } from '#model/application-kind.ts'
import { ownerOf } from '#model/application.ts'
import type { Target } from '#model/domain.ts'
import type { Connection, Listing, News, Seen } from '#model/connection.ts'
import { hashOf, type Json } from '#model/json.ts'
import type { Observation, Observed } from '#model/resource.ts'
import { withTable } from './open.ts'
import { targetOf, type FleetPlace } from './fleet-address.ts'
import { askedByService, type FleetAsked } from './asked.ts'
import { portsFor } from './ports.ts'
import { settingsAt } from './settings.ts'
import { rowsOf } from './rows.ts'
import { rowsLook, type RowsLook } from './rows-seen.ts'
import { openFleetContext } from './fleet-context.ts'
import { sharedLooks, type SharedLooks } from './shared-looks.ts'
import { reconciling } from './usual.ts'

/** How long a comparison may take, ms. Providers are programs that ask an engine, and each cluster is asked for its state. */
const compareTime = 120_000

export function connectFleet(
  place: FleetPlace,
  around: KindAround,
  service?: ServiceConnection,
  asked?: FleetAsked,
): Connection {
  const looks = sharedLooks(around.clock)
  /** The rows that belong to this fleet, where a file declares them. They are known after the first comparison. */
  let names: ReadonlySet<string> | undefined
  let look: RowsLook | undefined
  return {
    place: { address: targetOf(place) },
    compareTime,
    ports: (_owner, declared) =>
      portsFor({
        place,
        around,
        asked: asked ?? askedByService(place, around, declared?.values['recreate'] === true),
        looks,
        called: () => service?.called(),
        governed: (said) => (names = said),
      }),
    async list(signal) {
      service?.called()
      const options = asked?.options ?? reconciling
      const found = await listed({ place, around, names, looks, options }, signal)
      look = found.look
      return found.listing
    },
    rows: rowsOf({ place, around, look: () => look, names: () => names }),
    watch,
    // a file is there or not: lists tell
    ping: async () => undefined,
    close: () => undefined,
  }
}

type ListInput = {
  readonly place: FleetPlace
  readonly around: KindAround
  readonly names: ReadonlySet<string> | undefined
  readonly looks: SharedLooks
  readonly options: RunOptions
}

/** Looks at everything as a run would: whatever differs may be drift. */
function listed(
  { place, around, names, looks, options }: ListInput,
  signal: AbortSignal,
): Promise<{ readonly listing: Listing; readonly look: RowsLook }> {
  const settings = settingsAt(place.database, place.config)
  return withTable(place.database, 'read', around, async (clusters) => {
    const context = await openFleetContext(clusters, settings, options, around)
    try {
      const rendered = renderFleet({ ...context, database: place.database })
      const application = { kind: 'fleet', namespace: null, name: settings.name ?? 'fleet' }
      const { instance } = around
      // a cluster that no longer matches its row is told of by verify, and its registrations are compared all the same
      let at = around.clock.now()
      async function observe(request: Parameters<Target['observe']>[0]): Promise<Observation> {
        const { world, began } = await looks.observe(context, request, 'list')
        at = began
        return world
      }
      const target = { ...fleetTarget(context), observe }
      const ports = { kind: fleetKind('told later'), target }
      const request = { application, instance, rendered, revision: '', since: 0 }
      const found = await preview(request, ports, signal)
      const seen = seenOf(context, found.world, names)
      const apps = seen === undefined ? [] : [[ownerOf(instance, application), seen] as const]
      const look = rowsLook(context, rendered, found, ports.kind, at)
      return { listing: { apps: new Map(apps), orphans: new Map() }, look }
    } finally {
      context.close()
    }
  })
}

function seenOf(
  context: FleetContext,
  world: ReadonlyMap<string, Observed>,
  names: ReadonlySet<string> | undefined,
): Seen | undefined {
  const all = verified(context, context.memory.observations ?? new Map()).records
  const records = names === undefined ? all : all.filter(({ name }) => names.has(name))
  if (records.length === 0) return undefined
  const wanted = records.filter(({ desired }) => desired === 'present')
  const running = wanted.filter(({ actual }) => actual === 'running')
  const entries = [...world].toSorted(([one], [other]) => (one < other ? -1 : 1))
  const looks = entries.map(([ref, seen]): Json => [ref, signOf(seen)])
  return {
    since: undefined,
    mark: undefined,
    containers: { running: running.length, total: wanted.length },
    health: healthOf(wanted),
    fingerprint: hashOf([looks, records.map(({ result, message }) => [result, message])]),
  }
}

function signOf(seen: Observed): Json {
  if (seen.kind === 'absent') return seen.kind
  if (seen.kind === 'unknown') return [seen.kind, seen.why]
  return [seen.kind, seen.recorded?.hash ?? '', seen.live, hashOf({ ...seen.outputs })]
}

/** A cluster that answers is healthy, whether or not it is as its row declares. */
function healthOf(wanted: readonly VerifyRecord[]): Health {
  const [unwell, unknown] = [
    wanted.filter(({ actual }) => actual === 'stopped' || actual === 'absent'),
    wanted.filter(({ actual }) => actual === 'unknown'),
  ]
  const [first] = [...unwell, ...unknown]
  if (first === undefined) return { state: 'healthy', reason: '' }
  const more = unwell.length + unknown.length - 1
  const reason = `${first.name}: ${first.message}${more === 0 ? '' : ` (and ${more} more)`}`
  if (unwell.length === 0) return { state: 'unknown', reason }
  return { state: unwell.length === wanted.length ? 'failed' : 'degraded', reason }
}

/** Providers report no events by themselves: nothing is heard, so that nobody has to look for what came before he listened. */
// oxlint-disable-next-line require-yield -- it only ends with the signal
async function* watch(signal: AbortSignal): AsyncIterable<News> {
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
