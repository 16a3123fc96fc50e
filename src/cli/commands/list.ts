/** `tend list`: what is installed. */
import type { Application, Recalled } from '#model/application.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Flags, Invocation } from '../arguments/invocation.ts'
import { statusOf } from '../application/health.ts'
import { kinds, noneWords } from '../application/installed.ts'
import { chosen } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'
import { listDocument, listLines, type Installed } from '../views/listing.ts'

export async function list({ flags }: Invocation, context: CommandContext): Promise<number> {
  const { session, screen } = context
  const memory = await session.memoryIfAny()
  const records = await chosen([], flags.namespace, memory?.store)
  const charts: Installed[] =
    memory === undefined
      ? []
      : await Promise.all(records.map((record) => statusOf(record, flags, context, memory)))
  tellBlind(charts, context)
  charts.push(...(await forgotten(charts, flags, context)))
  if (screen.format === 'table' && charts.length === 0) {
    screen.print([await noneWords(flags.namespace, memory?.store)])
  } else if (screen.format === 'table') screen.print(listLines(charts, session.clock.now()))
  else await screen.document(listDocument(charts))
  return 0
}

/** Says why states are unknown: the word alone does not tell what to do. */
function tellBlind(charts: readonly Installed[], { screen }: CommandContext): void {
  for (const { name, state, resources = [] } of charts) {
    const blind = resources.find((one) => one.state === 'unknown')
    if (state === 'unknown' && blind !== undefined) screen.note(`Warning: ${name}: ${blind.reason}`)
  }
}

/** Applications that run and are not in the history: it was lost, or another home installed them. */
async function forgotten(
  known: readonly Installed[],
  flags: Flags,
  context: CommandContext,
): Promise<readonly Installed[]> {
  const recalled = await Promise.all(kinds.map((kind) => recalledOf(kind, flags, context)))
  const problem = recalled.find((one) => one instanceof Problem)
  // nothing seen is not nothing there
  if (
    problem !== undefined &&
    known.length === 0 &&
    recalled.every((one) => one instanceof Problem)
  ) {
    throw problem
  }
  return recalled
    .flatMap((one) => (one instanceof Problem ? [] : one))
    .map(({ application: { kind, name, namespace }, version, since, engine }) => {
      return {
        kind,
        name,
        namespace,
        version: /^run \d+$/.test(version) ? '-' : version,
        run: 0,
        state: 'unknown',
        since,
        path: null,
        engine,
      } as const
    })
    .filter(({ kind, name, namespace }) => {
      if (flags.namespace !== null && flags.namespace !== namespace) return false
      return !known.some(
        (one) => one.kind === kind && one.name === name && one.namespace === namespace,
      )
    })
}

type RecalledApp = Recalled & { readonly engine: string | null }

async function recalledOf(
  kind: Application['kind'],
  flags: Flags,
  { session, signal }: CommandContext,
): Promise<readonly RecalledApp[] | Problem> {
  try {
    const reached = await session.reach(flags, kind)
    const engine = reached.place?.address ?? null
    return ((await reached.recall?.(signal)) ?? []).map((one) => ({ ...one, engine }))
  } catch (thrown) {
    return problemOf(thrown)
  }
}
