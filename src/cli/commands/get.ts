/** `tend get`: what the service looks after, or what it last knew. */
import { allKinds, installedPlurals } from '#kinds/all.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { AppStatus } from '#model/service.ts'
import type { AppRun } from '#model/store.ts'
import { isRefusedEdit } from '#controller/declare/refused-edit.ts'
import { closest } from '../arguments/closest.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { usageProblem } from '../arguments/usage.ts'
import { serviceReader, type ServiceReader } from '../service/service-reader.ts'
import { whichApp } from '../service/which-app.ts'
import type { CommandContext } from '../session.ts'
import { appLines, runLines, sourceLines } from '../views/apps.ts'
import { defined } from '#model/defined.ts'

const subjects = ['apps', ...installedPlurals, 'runs', 'sources']

/** How many runs are shown of all applications together: in a table, and in a document. */
const [mostRuns, mostInDocument] = [50, 10_000]

export async function get({ words, flags }: Invocation, context: CommandContext): Promise<number> {
  const [word = '', name, third] = words
  const cluster = clusterSubject(word, name)
  if (cluster !== undefined) {
    const { tellClusterObjects } = await import('#cli/kube/verbs.ts')
    const meant = /^sources?$/.test(word) ? third : name
    return tellClusterObjects(cluster, meant, flags, context)
  }
  const subject = subjectOf(word)
  const known = await serviceReader(flags, context)
  try {
    if (subject === 'runs') await tellRuns(known, name, context)
    else if (subject === 'sources') await tellSources(known, name, context)
    else await tellApps(known, subject, name, context)
    return 0
  } finally {
    known.close()
  }
}

/** Subjects that only a cluster knows, in Flux's words. */
function clusterSubject(word: string, next: string | undefined) {
  if (['kustomizations', 'kustomization', 'ks'].includes(word)) return 'kustomizations'
  if (/^gitrepositor(y|ies)$/.test(word)) return 'gitrepositories'
  return /^sources?$/.test(word) && next === 'git' ? 'gitrepositories' : undefined
}

function subjectOf(word: string): string {
  const plural = word.endsWith('s') ? word : `${word}s`
  const found = subjects.find((subject) => subject === plural)
  if (found !== undefined) return found
  const meant = closest(word, subjects)
  const suggestion =
    meant === undefined
      ? `there are: ${subjects.join(', ')}, and of a cluster: kustomizations, sources git`
      : `did you mean ${meant}?`
  throw usageProblem(`tend get does not know ${JSON.stringify(word)}`, suggestion)
}

async function tellApps(
  known: ServiceReader,
  subject: string,
  name: string | undefined,
  { screen, session }: CommandContext,
): Promise<void> {
  const every = await known.apps()
  const all = every
    .filter(({ application: { kind } }) => subject === 'apps' || pluralOf(kind) === subject)
    .toSorted(byKey)
  const chosen = name === undefined ? all : [whichApp(name, all)]
  if (screen.format !== 'table') {
    const list = chosen.map(plainly)
    return screen.document(name === undefined ? { [subject]: list } : defined(list[0]))
  }
  const refused = known.isLive ? (await known.sources()).filter(isRefusedEdit) : []
  for (const { problem } of refused) {
    screen.note(`${problem?.message ?? ''}\n${problem?.suggestion ?? ''}`)
  }
  if (chosen.length === 0) return screen.print([`The service has no ${subject}.`])
  screen.print(appLines(chosen, session.clock.now(), screen.paint))
}

async function tellRuns(
  known: ServiceReader,
  name: string | undefined,
  { screen, session }: CommandContext,
): Promise<void> {
  const isTable = screen.format === 'table'
  const runs =
    name === undefined
      ? await known.recentRuns(isTable ? mostRuns + 1 : mostInDocument)
      : await runsOf(known, name)
  if (!isTable) {
    return screen.document({ runs: runs.map(({ key, run }) => ({ app: key, ...plainly(run) })) })
  }
  if (runs.length === 0) return screen.print(['There was no run yet.'])
  const shown = name === undefined ? runs.slice(0, mostRuns) : runs
  const isOpen = shown.some(({ run }) => run.outcome === undefined)
  const busy = isOpen && known.isLive ? busyIn(await known.apps()) : new Set<string>()
  screen.print(runLines(shown, session.clock.now(), screen.paint, busy))
  if (runs.length > shown.length)
    screen.note('There are older ones: tend get runs NAME, or -o json')
}

function busyIn(apps: readonly AppStatus[]): ReadonlySet<string> {
  const isBusy = ({ state, reason }: AppStatus): boolean =>
    (state === 'syncing' || state === 'deleting') && reason === ''
  const busy = apps.filter(isBusy)
  return new Set(busy.map(({ key }) => key))
}

async function runsOf(known: ServiceReader, name: string): Promise<readonly AppRun[]> {
  const { key } = whichApp(name, await known.apps())
  const runs = await known.runs(key)
  return runs
    .map((run) => ({ key, run }))
    .toSorted((one, other) => other.run.startedAt - one.run.startedAt)
}

async function tellSources(
  known: ServiceReader,
  name: string | undefined,
  { screen, session }: CommandContext,
): Promise<void> {
  const all = await known.sources()
  const chosen = name === undefined ? all : all.filter(({ shown }) => shown.includes(name))
  if (screen.format !== 'table') return screen.document({ sources: chosen.map(plainly) })
  if (chosen.length === 0) {
    return screen.print([
      name === undefined ? 'The service has no sources.' : `No source is called ${name}.`,
    ])
  }
  screen.print(sourceLines(chosen, session.clock.now(), screen.paint))
}

/** The plural of a kind; the store may hold a kind of a newer Tend. */
function pluralOf(kind: string): string | undefined {
  return allKinds.find(({ name }) => name === kind)?.words.plural
}

function byKey(one: AppStatus, other: AppStatus): number {
  return one.key < other.key ? -1 : one.key > other.key ? 1 : 0
}

/** The fields as the API has them: undefined ones are left out. */
function plainly(value: object): JsonRecord {
  const json: Record<string, Json> = JSON.parse(JSON.stringify(value))
  return json
}
