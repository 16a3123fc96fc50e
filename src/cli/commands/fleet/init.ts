/** `tend fleet init`: the clusters table, and on demand the rows of an environments.csv. */
import type { Clusters, NewCluster } from '#model/clusters.ts'
import { factsOf, Problem, problemOf, type ProblemFacts } from '#model/problem.ts'
import { environmentsIn, type Environment } from '#domains/fleet/environments-csv.ts'
import { isProvider } from '#domains/fleet/render/row-rules.ts'
import type { Invocation } from '../../arguments/invocation.ts'
import { tellProblems } from '../../failure.ts'
import { textOfNamed } from '../../fleet/named-file.ts'
import { withClusters } from '../../fleet/open.ts'
import type { CommandContext } from '../../session.ts'

export function fleetInit({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { screen, session } = context
  return withClusters(flags, session, 'make', async (clusters) => {
    const file = flags.fleet.import
    const taken = file === undefined ? [] : await take(file, clusters, context)
    if (typeof taken === 'number') return taken
    const rows = await clusters.rows()
    if (screen.format !== 'table') {
      await screen.document({ database: clusters.file, rows: rows.length, imported: taken })
      return 0
    }
    screen.print([
      `The clusters table is in ${clusters.file}: ${rows.length === 1 ? '1 row' : `${rows.length} rows`}.`,
      ...(taken.length === 0 ? [] : [`Taken from ${file}: ${taken.join(', ')}`]),
    ])
    return 0
  })
}

/** The table counts: a file never changes a row that exists. */
async function take(
  file: string,
  clusters: Clusters,
  { screen }: CommandContext,
): Promise<readonly string[] | number> {
  const { environments, problems } = environmentsIn(
    textOfNamed(file, 'name an environments.csv'),
    file,
  )
  screen.note(
    `Warning: rows are taken from ${file} this once; the table is what counts from now on`,
  )
  if (problems.length > 0) return tellProblems(firstOf(problems, file), screen)
  const known = new Set((await clusters.rows()).map(({ name }) => name))
  const taken: string[] = []
  for (const environment of environments) {
    if (known.has(environment.name)) {
      screen.note(`${environment.name} is in the table already and stays as it is`)
      continue
    }
    try {
      await clusters.add(clusterOf(environment), lenient)
    } catch (thrown) {
      // all of a file or nothing of it
      for (const name of taken) await clusters.remove(name, 'present')
      const at = { file, line: environment.line, column: 1 }
      throw new Problem({ ...factsOf(problemOf(thrown)), at, cause: thrown })
    }
    taken.push(environment.name)
  }
  return taken
}

const mostTold = 10

/** A file that is no environments.csv at all is wrong on every line, so only the first problems are shown. */
function firstOf(problems: readonly ProblemFacts[], file: string): readonly ProblemFacts[] {
  const more = problems.length - mostTold
  if (more <= 0) return problems
  const message = `${more} more lines of ${file} are wrong: is it an environments.csv?`
  return [...problems.slice(0, mostTold), { type: 'configuration', code: 'values_error', message }]
}

/** Clusters of the original programs may run and hold their ports, so ports are not checked. */
const lenient = { isPortFree: async () => true, isSubnetFree: () => true }

function clusterOf(environment: Environment): NewCluster {
  const { name, provider } = environment
  if (isProvider(provider)) return { ...environment, provider }
  throw new Problem({
    type: 'configuration',
    code: 'values_error',
    message: `the provider ${JSON.stringify(provider)} of ${name} is not known`,
    suggestion: 'use kind, k3d, kwok or existing',
  })
}
