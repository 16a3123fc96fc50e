/** `tend fleet export` and `tend fleet import FILE`: the rows as YAML that can live in Git, and back. */
import { hostBeside } from '#kinds/fleet/free-ports.ts'
import { declaredIn, declaredOf, declaredText } from '#domains/fleet/rows-yaml.ts'
import { reservedCluster } from '#model/clusters.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { tellProblems } from '../../failure.ts'
import { textOfNamed } from '../../fleet/named-file.ts'
import { databaseOf, settingsFor, withClusters } from '../../fleet/open.ts'
import type { CommandContext } from '../../session.ts'
import { refuseReserved } from '#kinds/fleet/row-problems.ts'
import { defined } from '#model/defined.ts'

export function fleetExport(
  { flags }: Invocation,
  { screen, session }: CommandContext,
): Promise<number> {
  return withClusters(flags, session, 'read', async (clusters) => {
    const [rows, notes] = [await clusters.rows(), await clusters.notes()]
    const declared = rows
      .filter(({ name }) => name !== reservedCluster)
      .map((row) => declaredOf(row, notes.get(row.name)))
    const text = declaredText(declared)
    if (screen.format !== 'json') screen.print([text.trimEnd()])
    else {
      const { parse } = await import('yaml')
      screen.print([JSON.stringify(parse(text), null, 2)])
    }
    return 0
  })
}

/** Makes rows what the file declares. Rows that it does not name stay as they are, and are listed. */
export function fleetImport(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const file = defined(words[0])
  const { screen, session } = context
  const { clusters: declared, problems } = declaredIn(
    textOfNamed(file, 'name a file that tend fleet export wrote'),
    file,
  )
  if (problems.length > 0) return tellProblems(problems, screen)
  for (const { name } of declared) refuseReserved(name)
  const host = hostBeside(settingsFor(flags, databaseOf(flags, session)))
  return withClusters(flags, session, 'make', async (clusters) => {
    await clusters.declare(declared, host)
    const names = new Set(declared.map(({ name }) => name))
    const others = (await clusters.rows())
      .map(({ name }) => name)
      .filter((name) => !names.has(name) && name !== reservedCluster)
    if (screen.format === 'table') {
      const left = `${others.join(', ')}: not in the file, and left as they are`
      const next = 'tend fleet reconcile --dry-run shows what follows'
      screen.print([
        `${names.size === 1 ? '1 row is' : `${names.size} rows are`} as ${file} says`,
        ...(others.length === 0 ? [] : [left]),
        next,
      ])
    } else await screen.document({ file, declared: [...names], others })
    return 0
  })
}
