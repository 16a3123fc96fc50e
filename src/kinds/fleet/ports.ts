/** What plans and applies for a fleet that the service keeps: under the lease of its table, each run written to its history. */
import { heldAgainstRows } from '#domains/fleet/observe/changed-rows.ts'
import { fleetKind, fleetTarget } from '#domains/fleet/domain.ts'
import { rowsIn } from '#domains/fleet/registrations/table-rows.ts'
import type { FleetContext } from '#domains/fleet/fleet-context.ts'
import type { KindAround } from '#model/application-kind.ts'
import type { Clusters } from '#model/clusters.ts'
import type { Ports } from '#model/connection.ts'
import type { Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { Holder, Lease } from '#model/store.ts'
import { openClusters } from '#store/clusters.ts'
import { codeAfterRun, lookAfterRun, runToldBy } from './after-run.ts'
import { append, entryOf, historyFile } from './history.ts'
import { noteFailure } from './note-failure.ts'
import { withTable } from './open.ts'
import type { FleetPlace } from './fleet-address.ts'
import { settingsAt } from './settings.ts'
import { openFleetContext } from './fleet-context.ts'
import { reconciling } from './usual.ts'
import { tableLeases } from './table-leases.ts'

type PortsInput = {
  readonly place: FleetPlace
  readonly around: KindAround
  readonly recreates: boolean
  /** Is called for each call to a provider. */
  readonly called: () => void
  /** Hears which rows a file of a repository declares; undefined: the table is all that declares them. */
  readonly governed: (names: ReadonlySet<string> | undefined) => void
}

/** How long the look after a run may take, ms. */
const lastLook = 120_000

/** The ports for one run, or for one comparison. */
export function portsFor({ place, around, recreates, called, governed }: PortsInput): Ports {
  const options = { ...reconciling, recreates }
  /** The table, while the lease is held: the lease fences what is written through this very connection. */
  let table: Clusters | undefined
  let fleet: FleetContext | undefined
  let said: ReturnType<typeof rowsIn>
  const events: Event[] = []
  let began = around.clock.now()

  function read(clusters: Clusters): Promise<FleetContext> {
    const settings = settingsAt(place.database, place.config)
    return openFleetContext(clusters, settings, options, around, said)
  }
  async function looking<Result>(work: (now: FleetContext) => Promise<Result>): Promise<Result> {
    const open = table
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
  async function writeDown(): Promise<void> {
    const told = runToldBy(events)
    if (told === undefined || fleet === undefined) return
    const before = fleet
    // who was told to stop takes one short look
    const isCut = told.outcome === 'interrupted'
    const signal = isCut ? AbortSignal.abort() : AbortSignal.timeout(lastLook)
    const after = await withTable(place.database, 'read', around, (clusters) =>
      lookAfterRun(before, () => read(clusters), told, signal),
    )
    if (after.undeclared !== '') around.log('warning', after.undeclared, {})
    const failure = told.outcome === 'succeeded' ? 0 : 1
    const code = codeAfterRun(after, told, options, failure, true)
    const file = historyFile(place.database, around)
    const args = ['--from-db', ...(recreates ? ['--recreate'] : [])]
    const asked = { args, isFromDb: true, isDryRun: false, prunesMissing: false }
    const facts = { file, began, code, summary: after.summary, source: 'serve', ...asked }
    append(file, entryOf(facts, around), (text) => around.log('warning', text, {}))
  }

  return {
    kind: fleetKind(recreates ? 'asked' : 'refused'),
    target: {
      observe(request) {
        called()
        said = rowsIn(request.wanted)
        governed(said && new Set(said.map(({ name }) => name)))
        return looking(async (now) => {
          const world = await fleetTarget(now).observe(request)
          return heldAgainstRows(world, request.wanted, now)
        })
      },
      operate(operation, context) {
        called()
        return target().operate(operation, context)
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
      await writeDown().catch((thrown: unknown) => {
        const why = thrown instanceof Error ? thrown.message : String(thrown)
        around.log('warning', 'the run could not be written to the history of the fleet', { why })
      })
    },
  }
}
