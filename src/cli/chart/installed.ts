/** Charts that are installed, for the verbs that need no files. */
import type { Application } from '#model/application.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import { directoryTree } from '#sources/directory.ts'
import { installedAs, isPath, locateChart, notInstalled } from './locate.ts'
import { nameIn } from './load.ts'

/** By its name, or by the folder that it is in. */
export async function findInstalled(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<ApplicationRecord> {
  const name = await nameFor(word, namespace, store)
  const record = await installedAs(name, namespace, store)
  if (record === undefined) throw await notInstalled(name, namespace, store)
  return record
}

/** Whether or not it is known: what runs can be removed also when the history is lost. */
export async function applicationFor(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<Application> {
  return { kind: 'chart', namespace, name: await nameFor(word, namespace, store) }
}

/** Those that are named, or all of them; without a namespace those of all namespaces. */
export async function chosenCharts(
  words: readonly string[],
  namespace: string | null,
  store: Store | undefined,
): Promise<readonly ApplicationRecord[]> {
  if (words.length > 0) {
    return Promise.all(words.map((word) => findInstalled(word, namespace, store)))
  }
  const records = (await store?.applications()) ?? []
  return records.filter(
    ({ application, isUninstalled }) =>
      application.kind === 'chart' &&
      !isUninstalled &&
      (namespace === null || application.namespace === namespace),
  )
}

async function nameFor(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<string> {
  if (!isPath(word)) return word
  const { shown } = await locateChart(word, namespace, store)
  return (await nameIn(directoryTree(shown))) ?? word
}
