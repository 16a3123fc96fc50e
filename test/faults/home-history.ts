/** The history of a Tend whose processes are killed and run again: its database is one file. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { openSqlite } from '#store/sqlite.ts'
import { faultsIn } from './history.ts'
import { keepHistory, readHistory } from './keep-history.ts'

export type HomeHistory = {
  /** A process was killed just now. */
  died(): void
  check(where: string): Promise<void>
  close(): Promise<void>
}

/** From now on; there has to be a database. */
export async function watchHome(home: string): Promise<HomeHistory> {
  const database = await openSqlite(join(home, 'tend.db'), 'shared')
  await keepHistory(database)
  const deaths: number[] = []
  return {
    died: () => void deaths.push(Date.now()),
    async check(where) {
      const history = await readHistory(database)
      assert.ok(
        history.some(({ of }) => of === 'end'),
        `${where}: no history was kept`,
      )
      // a user may ask for the same again
      const faults = faultsIn(history, deaths).filter((one) => !one.includes('did again'))
      assert.deepEqual(faults, [], where)
    },
    close: () => database.close(),
  }
}
