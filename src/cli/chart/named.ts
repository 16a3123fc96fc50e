/** What a word on the command line means among the things that are installed: a name, or the folder of a chart. */
import type { Application } from '#model/application.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import { directoryTree } from '#sources/directory.ts'
import {
  allInstalled,
  findInstalled,
  installedAs,
  kinds,
  type ApplicationQuery,
} from '../application/installed.ts'
import { nameIn } from './chart-name.ts'
import { isPath, locateChart } from './locate.ts'

/** A folder means its chart, a name whatever has that name. */
export async function soughtBy(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<ApplicationQuery> {
  if (!isPath(word)) return { name: word, namespace, kinds }
  const { shown } = await locateChart(word, namespace, store)
  return { name: (await nameIn(directoryTree(shown))) ?? word, namespace, kinds: ['chart'] }
}

export async function recordFor(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<ApplicationRecord> {
  return findInstalled(await soughtBy(word, namespace, store), store)
}

/** The application may be unknown: what runs can be removed even when the history is lost. */
export async function applicationFor(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<Application> {
  const sought = await soughtBy(word, namespace, store)
  const record = await installedAs(sought, store)
  return record?.application ?? { kind: 'chart', namespace, name: sought.name }
}

/** The applications that are named, or all; without a namespace those of all namespaces. */
export async function chosen(
  words: readonly string[],
  namespace: string | null,
  store: Store | undefined,
): Promise<readonly ApplicationRecord[]> {
  if (words.length === 0) return allInstalled(namespace, store)
  return Promise.all(words.map((word) => recordFor(word, namespace, store)))
}
