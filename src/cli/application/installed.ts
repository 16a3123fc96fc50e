/** Applications that are installed, for the verbs that need no files. */
import { allKinds, kindNamed, usualKind } from '#kinds/all.ts'
import type { KindWords } from '#model/application-kind.ts'
import type { Application } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import { closest } from '../arguments/closest.ts'
import { shownPath } from '../views/paths.ts'
import { sourceOf } from './source.ts'
import { defined } from '#model/defined.ts'

/** The kinds that a word may mean, in the order in which they are looked for. */
export const kinds: readonly Application['kind'][] = allKinds
  .filter((kind) => kind.load !== undefined && kind.hasOwnVerbs !== true)
  .map(({ name }) => name)
  .toSorted()

/** What a command looks for. */
export type ApplicationQuery = {
  readonly name: string
  readonly namespace: string | null
  readonly kinds: readonly Application['kind'][]
}

export async function installedAs(
  { name, namespace, kinds: sought }: ApplicationQuery,
  store: Store | undefined,
): Promise<ApplicationRecord | undefined> {
  for (const kind of sought) {
    const record = await store?.application({ kind, namespace, name })
    if (record !== undefined && !record.isUninstalled) return record
  }
  return undefined
}

export async function findInstalled(
  sought: ApplicationQuery,
  store: Store | undefined,
): Promise<ApplicationRecord> {
  const record = await installedAs(sought, store)
  if (record === undefined) throw await notInstalled(sought, store)
  return record
}

/** All installed applications; without a namespace those of all namespaces. */
export async function allInstalled(
  namespace: string | null,
  store: Store | undefined,
): Promise<readonly ApplicationRecord[]> {
  const records = (await store?.applications()) ?? []
  return records.filter(
    ({ application, isUninstalled }) =>
      kinds.some((kind) => kind === application.kind) &&
      !isUninstalled &&
      (namespace === null || application.namespace === namespace),
  )
}

export async function notInstalled(
  { name, namespace, kinds: sought }: ApplicationQuery,
  store: Store | undefined,
  further = '',
): Promise<Problem> {
  const all = await allInstalled(null, store)
  const known = all.filter(({ application }) => sought.some((kind) => kind === application.kind))
  const here = known.filter(({ application }) => application.namespace === namespace)
  const meant = closest(
    name,
    here.map(({ application }) => application.name),
  )
  const where = namespace === null ? '' : ` in namespace ${namespace}`
  const list = known.map(({ application }) => nameWithSpace(application)).join(', ')
  const begin = beginWords(sought)
  const gone = await uninstalledAs({ name, namespace, kinds: sought }, store)
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no ${wordsFor(sought, known)} named ${JSON.stringify(name)} is installed${where}${gone === undefined ? '' : ` (run ${gone.lastRun?.number ?? 0} uninstalled it)`}${further}`,
    suggestion:
      gone !== undefined
        ? againWords(gone)
        : known.length === 0
          ? `nothing is installed yet; begin with: ${begin}`
          : `${meant === undefined ? '' : `did you mean ${meant}? `}installed: ${list}`,
  })
}

async function uninstalledAs(
  { name, namespace, kinds: sought }: ApplicationQuery,
  store: Store | undefined,
): Promise<ApplicationRecord | undefined> {
  for (const kind of sought) {
    const record = await store?.application({ kind, namespace, name })
    if (record?.isUninstalled === true) return record
  }
  return undefined
}

function againWords({ application: { kind, namespace }, source }: ApplicationRecord): string {
  const { path } = sourceOf(source)
  const space = namespace === null ? '' : ` -n ${namespace}`
  const { command } = applyCommandOf(kind)
  return `again with: ${command} ${path === null ? 'PATH' : shownPath(path)}${space}`
}

function beginWords(sought: readonly Application['kind'][]): string {
  const kind = sought.find((one) => kindNamed(one).words.applyCommand !== undefined)
  const { command, takes } = applyCommandOf(kind ?? usualKind.name)
  return `${command} ${takes}`
}

/** A folder of whichever kind is installed by the usual verb. */
function applyCommandOf(kind: string): NonNullable<KindWords['applyCommand']> {
  const usual = { command: 'tend install', takes: 'PATH' } as const
  return kindNamed(kind).words.applyCommand ?? usual
}

/** What is printed in place of an empty table. It says where else something is installed. */
export async function noneWords(
  namespace: string | null,
  store: Store | undefined,
): Promise<string> {
  const all = namespace === null ? [] : await allInstalled(null, store)
  if (all.length === 0) return 'No charts are installed.'
  const list = all.map(({ application }) => nameWithSpace(application)).join(', ')
  return `Nothing is installed in namespace ${namespace}. Installed: ${list}`
}

/** Names only the kinds that the user has. */
function wordsFor(
  sought: readonly Application['kind'][],
  known: readonly ApplicationRecord[],
): string {
  const present = sought.filter((kind) =>
    known.some(({ application }) => application.kind === kind),
  )
  return present.length === 0 ? defined(sought[0]) : present.join(' or ')
}

export function nameWithSpace({ name, namespace }: Application): string {
  return namespace === null ? name : `${name} (-n ${namespace})`
}
