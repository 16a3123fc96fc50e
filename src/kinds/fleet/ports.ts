/** What plans and applies for a fleet: under the lease of its table, and whoever asked for a run is told what it came to. */
import { heldAgainstRows } from '#domains/fleet/observe/changed-rows.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { renderFleet } from '#domains/fleet/render/render.ts'
import { rowsIn } from '#domains/fleet/registrations/table-rows.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import type { KindAround } from '#model/application-kind.ts'
import type { Clusters } from '#model/clusters.ts'
import type { Ports } from '#model/connection.ts'
import type { Rendered, Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { Holder, Lease } from '#model/store.ts'
import { openClusters } from '#store/clusters.ts'
import { lookAfterRun, runToldBy } from './after-run.ts'
import type { FleetAsked } from './asked.ts'
import { noteFailure } from './note-failure.ts'
import { withTable } from './open.ts'
import type { FleetPlace } from './fleet-address.ts'
import { settingsAt } from './settings.ts'
import { openFleetContext } from './fleet-context.ts'
import type { SharedLooks } from './shared-looks.ts'
import { tableLeases } from './table-leases.ts'

type PortsInput = {
  readonly place: FleetPlace
  readonly around: KindAround
  readonly asked: FleetAsked
  readonly looks: SharedLooks
  /** Is called for each call to a provider. */
  readonly called: () => void
  /** Hears which rows a file of a repository declares; undefined: the table is all that declares them. */
  readonly governed: (names: ReadonlySet<string> | undefined) => void
}

/** How long the look after a run may take, ms. */
const lastLook = 120_000

/** The ports for one run, or for one comparison. */
export function portsFor({ place, around, asked, looks, called, governed }: PortsInput): Ports {
  /** The table, while the lease is held: the lease fences what is written through this very connection. */
  let table: Clusters | undefined
  let fleet: FleetContext | undefined
  let said: ReturnType<typeof rowsIn>
  /** The rows that were rendered here are those that the run works with. */
  let isRendered = false
  const events: Event[] = []
  let began = around.clock.now()

  function read(clusters: Clusters): Promise<FleetContext> {
    const settings = settingsAt(place.database, place.config)
    return openFleetContext(clusters, settings, asked.options, around, said)
  }
  async function render(): Promise<Rendered> {
    try {
      const open = table
      fleet = await (open === undefined
        ? withTable(place.database, 'read', around, read)
        : read(open))
      isRendered = true
      return renderFleet({ ...fleet, database: place.database })
    } catch (thrown) {
      asked.failed(thrown)
      throw thrown
    }
  }
  async function looking<Result>(work: (now: FleetContext) => Promise<Result>): Promise<Result> {
    const open = table
    if (isRendered && fleet !== undefined) return work(fleet)
    if (open !== undefined) {
      fleet?.close()
      fleet = await read(open)
      return work(fleet)
    }
    return withTable(place.database, 'read', around, async (clusters) => {
      fleet = await read(clusters)
      try {
        return await work(fleet)
      } finally {
        fleet.close()
      }
    })
  }
  function target(): Target {
    if (fleet === undefined) throw new TypeError('rows are read before anything is looked at')
    return fleetTarget(fleet)
  }
  async function take(application: string, holder: string): Promise<Lease | Holder> {
    const now = (): number => around.clock.now()
    const clusters = await openClusters({ file: place.database, access: 'write', now })
    const taken = await tableLeases(clusters)
      .take(application, holder)
      .catch(async (thrown: unknown) => {
        await clusters.close()
        throw thrown
      })
    if (!('release' in taken)) {
      await clusters.close()
      return taken
    }
    table = clusters
    async function release(lease: Lease): Promise<void> {
      table = undefined
      fleet?.close()
      try {
        await lease.release()
      } finally {
        await clusters.close()
      }
    }
    return { ...taken, release: () => release(taken) }
  }
  async function judge(): Promise<void> {
    const told = runToldBy(events)
    if (told === undefined || fleet === undefined) return
    const before = fleet
    // who was told to stop takes one short look
    const isCut = told.outcome === 'interrupted'
    const signal = isCut ? AbortSignal.abort() : AbortSignal.timeout(lastLook)
    const after = await withTable(place.database, 'read', around, (clusters) =>
      lookAfterRun(before, () => read(clusters), told, signal),
    )
    asked.ended({ after, told, began })
  }

  return {
    kind: fleetKind(asked.options.recreates ? 'asked' : asked.otherwise),
    ...(asked.isRenderedByRuns ? { render } : {}),
    target: {
      observe(request) {
        called()
        said = rowsIn(request.wanted)
        governed(said && new Set(said.map(({ name }) => name)))
        return looking(async (now) => {
          const reason = request.isGlance === true ? 'question' : 'run'
          const { world } = await looks.observe(now, request, reason)
          return heldAgainstRows(world, request.wanted, now)
        })
      },
      async operate(operation, context) {
        called()
        looks.forget()
        return target()
          .operate(operation, context)
          .finally(() => looks.forget())
      },
      look: (...asked) =>
        fleet === undefined
          ? looking((now) => fleetTarget(now).look(...asked))
          : target().look(...asked),
      watch: (...asked) => target().watch(...asked),
    },
    leases: { take },
    async hear(event) {
      if (event.type === 'started') began = around.clock.now()
      if (event.type !== 'progress') events.push(event)
      if (table !== undefined) await noteFailure(table, event)
      if (event.type !== 'ended') return
      await judge().catch((thrown: unknown) => asked.failed(thrown))
      // a dry run has no lease that ends
      if (events.some((one) => one.type === 'started' && one.isDryRun)) fleet?.close()
    },
  }
}
