/** Finds the chart that a word means: a folder, or the name of an installed one. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, relative, resolve } from 'node:path'
import type { Application } from '#model/application.ts'
import { Problem } from '#model/problem.ts'
import type { ApplicationRecord, Store } from '#model/store.ts'
import { closest } from '../arguments/closest.ts'
import { sourceOf } from './source.ts'

export type Located = {
  /** Absolute. */
  readonly path: string
  /** As messages name it. */
  readonly shown: string
}

export async function locateChart(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<Located> {
  if (isPath(word)) return chartAt(word)
  const record = await installedAs(word, namespace, store)
  if (record !== undefined) {
    const { path } = sourceOf(record.source)
    if (path !== null && existsSync(path)) return chartAt(shownPath(path))
    if (!existsSync(word)) throw folderGone(word, path)
  }
  if (existsSync(word)) return chartAt(`./${word}`)
  throw await notInstalled(word, namespace, store, `, and there is no folder ./${word}`)
}

/** For verbs that need no files: the record of an installed chart by name, or by the folder it is in. */
export async function installedAs(
  name: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<ApplicationRecord | undefined> {
  const record = await store?.application({ kind: 'chart', namespace, name })
  return record === undefined || record.isUninstalled ? undefined : record
}

export function isPath(word: string): boolean {
  return word.includes('/') || word === '.' || word === '..' || word.startsWith('~')
}

/** Relative where that is shorter to read. */
export function shownPath(path: string): string {
  const near = relative(process.cwd(), path)
  if (near === '') return '.'
  return near.startsWith('..') ? path : `./${near}`
}

export async function notInstalled(
  name: string,
  namespace: string | null,
  store: Store | undefined,
  further = '',
): Promise<Problem> {
  const records = (await store?.applications()) ?? []
  const charts = records.filter((one) => one.application.kind === 'chart' && !one.isUninstalled)
  const here = charts.filter(({ application }) => application.namespace === namespace)
  const meant = closest(
    name,
    here.map(({ application }) => application.name),
  )
  const where = namespace === null ? '' : ` in namespace ${namespace}`
  const list = charts.map(({ application }) => nameWithSpace(application)).join(', ')
  return new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `no chart named ${JSON.stringify(name)} is installed${where}${further}`,
    suggestion:
      charts.length === 0
        ? 'nothing is installed yet; begin with: tend install PATH'
        : `${meant === undefined ? '' : `did you mean ${meant}? `}installed: ${list}`,
  })
}

function nameWithSpace({ name, namespace }: Application): string {
  return namespace === null ? name : `${name} (-n ${namespace})`
}

function chartAt(word: string): Located {
  const typed = word.startsWith('~/') ? join(homedir(), word.slice(2)) : word
  const path = resolve(typed)
  const isFolder = existsSync(path) && statSync(path).isDirectory()
  if (!isFolder || existsSync(join(path, 'Chart.yaml'))) return { path, shown: word }
  const near = chartsNear(path)
  const suggestion =
    near.length > 0
      ? `did you mean ${near.map(shownPath).join(' or ')}?`
      : 'a chart is a folder with Chart.yaml (name, version) and a folder templates'
  throw new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message: `${word} is not a chart: it has no Chart.yaml`,
    suggestion,
  })
}

/** Charts in its folders, or the one it is a part of. */
function chartsNear(path: string): readonly string[] {
  const above = [resolve(path, '..'), resolve(path, '../..')]
  const below = readdirSync(path, { withFileTypes: true })
    .filter((entry) => entry.isDirectory())
    .map(({ name }) => join(path, name))
  return [...below, ...above].filter((folder) => existsSync(join(folder, 'Chart.yaml'))).slice(0, 3)
}

function folderGone(name: string, path: string | null): Problem {
  return new Problem({
    type: 'configuration',
    code: 'chart_unreadable',
    message:
      path === null
        ? `it is not known which folder ${name} was installed from`
        : `the folder that ${name} was installed from is gone: ${path}`,
    suggestion: 'give the folder in place of the name',
  })
}
