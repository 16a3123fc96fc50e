/** The rows of a fleet for whoever looks after it: its table is read and written at once, no cluster is asked. */
import { reservedCluster } from '#model/clusters.ts'
import type { KindAround } from '#model/application-kind.ts'
import type { ClusterRow as ShownRow } from '#model/api-fleets.ts'
import type { Rows } from '#model/rows.ts'
import { putRow, removeRow } from './change-rows.ts'
import { hostBeside } from './free-ports.ts'
import { withTable } from './open.ts'
import type { FleetPlace } from './fleet-address.ts'
import { unknownCluster } from './row-problems.ts'
import { settingsAt } from './settings.ts'
import { shownRow, type RowsLook } from './rows-seen.ts'

type RowsInput = {
  readonly place: FleetPlace
  readonly around: KindAround
  /** The last look; undefined: there was none yet. */
  readonly look: () => RowsLook | undefined
  /** The names of the rows that belong to this fleet; undefined: all rows do. */
  readonly names: () => ReadonlySet<string> | undefined
}

export function rowsOf({ place: { database, config }, around, look, names }: RowsInput): Rows {
  async function list(): Promise<readonly ShownRow[]> {
    const [rows, notes] = await withTable(database, 'read', around, async (clusters) => {
      return [await clusters.rows(), await clusters.notes()] as const
    })
    const own = names()
    return rows
      .filter(({ name }) => name !== reservedCluster && (own === undefined || own.has(name)))
      .map((row) => shownRow(row, { notes }, look()))
  }
  return {
    list,
    async put(name, columns, { isNew }) {
      const host = hostBeside(settingsAt(database, config))
      await withTable(database, 'write', around, (clusters) =>
        putRow(clusters, host, name, columns, isNew),
      )
      const row = (await list()).find((one) => one.name === name)
      if (row === undefined) throw unknownCluster(name)
      return row
    },
    remove: (name) =>
      withTable(database, 'write', around, (clusters) =>
        removeRow(clusters, name, `${around.instance}, removing a row`),
      ),
  }
}
