/** Copies rows to a file before they are pruned: `tend fleet import FILE` brings them back. */
import { renameSync, writeFileSync } from 'node:fs'
import { Problem } from '#model/problem.ts'
import { declaredOf, declaredText } from '../rows-yaml.ts'
import type { FleetContext } from '../fleet-context.ts'

/** Once in a run: all rows whose clusters are missing, as they were. A row without a copy is not removed. */
export function backUpRows(
  { clusters, declared, memory }: Pick<FleetContext, 'clusters' | 'declared' | 'memory'>,
  tell: (text: string) => void,
): void {
  if (memory.backup !== undefined) return
  const rows = declared.rows.filter(({ name }) => memory.observations?.get(name)?.kind === 'absent')
  const time = new Date().toISOString().replace(/[-:]|\.\d+/g, '')
  const file = `${clusters.file}.pruned-${time}.yaml`
  const text = declaredText(rows.map((row) => declaredOf(row, declared.notes.get(row.name))))
  try {
    writeFileSync(`${file}.new`, text, { mode: 0o600 })
    renameSync(`${file}.new`, file)
  } catch (cause) {
    throw new Problem({
      type: 'runtime',
      code: 'store_unusable',
      message: `the rows can't be copied to ${file}, so none is removed`,
      suggestion: 'see that the folder of the database can be written',
      cause,
    })
  }
  memory.backup = file
  tell(`the rows that go are kept in ${file}: tend fleet import brings them back`)
}
