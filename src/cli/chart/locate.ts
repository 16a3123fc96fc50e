/** Finds the chart that a word means: a folder, or the name of an installed one. */
import { existsSync, readdirSync, statSync } from 'node:fs'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Problem } from '#model/problem.ts'
import type { Store } from '#model/store.ts'
import { installedAs, kinds, notInstalled } from '../application/installed.ts'
import { shownPath } from '../views/paths.ts'
import { sourceOf } from '../application/source.ts'

type Located = {
  /** The absolute path. */
  readonly path: string
  /** The name for messages. */
  readonly shown: string
}

export async function locateChart(
  word: string,
  namespace: string | null,
  store: Store | undefined,
): Promise<Located> {
  if (isPath(word)) {
    if (!existsSync(word)) await assertNoSpace(word, store)
    assertNotElsewhere(word)
    return chartAt(word)
  }
  const sought = { name: word, namespace, kinds: ['chart'] } as const
  const record = await installedAs(sought, store)
  if (record !== undefined) {
    const { path } = sourceOf(record.source)
    if (path !== null && existsSync(path)) return chartAt(shownPath(path))
    if (!existsSync(word)) throw folderGone(word, path)
  }
  if (existsSync(word) && !statSync(word).isDirectory()) assertNotElsewhere(word)
  if (existsSync(word)) return chartAt(`./${word}`)
  throw await notInstalled(sought, store, `, and there is no folder ./${word}`)
}

export function isPath(word: string): boolean {
  return word.includes('/') || word === '.' || word === '..' || word.startsWith('~')
}

/** Registries and repositories of charts are not asked: the user has to fetch and unpack a chart. */
function assertNotElsewhere(word: string): void {
  const isAddress = /^(?:oci|https?):\/\//.test(word)
  const isArchive = /\.(?:tgz|tar\.gz)$/.test(word)
  const isInRepository =
    /^[\w-]+\/[\w.-]+$/.test(word) && !existsSync(word) && !existsSync(word.split('/')[0] ?? '')
  if (!isAddress && !isArchive && !isInRepository) return
  const name = /([\w-]+?)(?:-\d[\w.+-]*?)?(?:\.tgz|\.tar\.gz|:[\w.-]+)?$/.exec(word)?.[1] ?? 'NAME'
  const [message, suggestion] = isAddress
    ? [
        `charts are not fetched from registries and repositories: ${word}`,
        `fetch it first: helm pull ${word} --untar, then use ./${name}`,
      ]
    : isArchive
      ? [
          `${word} is a packed chart, and is not unpacked`,
          `unpack it first: tar -xzf ${word}, then use ./${name}`,
        ]
      : [
          `there is no folder ${word}, and charts of repositories are not fetched`,
          `fetch it first: helm pull ${word} --untar, then use ./${name}`,
        ]
  throw new Problem({ type: 'configuration', code: 'chart_unreadable', message, suggestion })
}

/** `prod/my-app` is how `status` prints a name with its namespace, so it is not taken for a folder. */
async function assertNoSpace(word: string, store: Store | undefined): Promise<void> {
  const [, namespace, name] = /^([a-z0-9-]+)\/([\w.-]+)$/.exec(word) ?? []
  if (namespace === undefined || name === undefined) return
  const record = await installedAs({ name, namespace, kinds }, store)
  if (record === undefined) return
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: `there is no folder ${word}`,
    suggestion: `for ${name} in namespace ${namespace} write: ${name} -n ${namespace}`,
  })
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

/** Charts in folders below, or the chart that the folder is a part of. */
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
