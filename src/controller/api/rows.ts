/** The rows that declare an application, where its kind has them: read without asking anybody, changed where they are kept. */
import { kindNamed } from '#kinds/all.ts'
import type { ClusterRow } from '#model/api-fleets.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { RowPut, RowRemoval, Rows, RowsShown } from '#model/rows.ts'
import type { ServiceState } from '../state/service-state.ts'
import type { RepositoryRegistry } from '../sources/repository-registry.ts'
import type { AppState } from '../state/app-state.ts'

export async function shownRows(app: AppState): Promise<RowsShown> {
  const rows = await rowsIn(app).list()
  const refusal = refusalOf(app)
  return { rows, ...(refusal === undefined ? {} : { refusal: refusal.message }) }
}

export async function putRow(
  service: ServiceState,
  registry: RepositoryRegistry,
  app: AppState,
  name: string,
  columns: JsonRecord,
  how: RowPut,
): Promise<ClusterRow> {
  const row = await changeable(app).put(name, columns, how)
  followed(service, registry, app, how.by)
  return row
}

export async function removeRow(
  service: ServiceState,
  registry: RepositoryRegistry,
  app: AppState,
  name: string,
  by: string | undefined,
): Promise<RowRemoval> {
  const removal = await changeable(app).remove(name)
  followed(service, registry, app, by)
  return removal
}

/** The table is read now, so that the run that follows does not wait for the next poll. */
function followed(
  service: ServiceState,
  registry: RepositoryRegistry,
  { branch }: AppState,
  by: string | undefined,
): void {
  for (const repo of registry.repos.values()) {
    if (![...repo.branches.values()].some((one) => one === branch)) continue
    repo.cause = { trigger: 'manual', by }
    void repo.ask().finally(() => service.wake())
  }
}

function rowsIn({ monitor, key, application }: AppState): Rows {
  const rows = monitor?.connection().rows
  if (rows !== undefined) return rows
  const { title } = kindNamed(application.kind).words
  const isKnown = monitor !== undefined
  throw new Problem({
    type: 'configuration',
    code: 'not_found',
    message: isKnown
      ? `${key} has no rows: nothing of the kind ${title} is declared by a table`
      : `it is not known where ${key} runs`,
    suggestion: isKnown ? 'change it in its source' : 'see its status: tend get apps',
  })
}

function changeable(app: AppState): Rows {
  const rows = rowsIn(app)
  const refusal = refusalOf(app)
  if (refusal !== undefined) throw refusal
  return rows
}

/** Whoever declares rows in a repository would see every change undone by the next run. */
function refusalOf({ declared, branch, key, isGone }: AppState): Problem | undefined {
  if (declared === undefined || isGone) {
    return conflict(`${key} is not declared any more, so its rows are left as they are`, undefined)
  }
  if (declared.source.kind === 'table') return undefined
  const { shown = 'its repository', ref = '' } = branch?.status ?? {}
  const place = [ref, declared.path].filter((part) => part !== '').join(', ')
  return conflict(
    `the rows of ${key} come from ${shown}${place === '' ? '' : ` (${place})`}, and are changed there`,
    'commit the change to that repository',
  )
}

function conflict(message: string, suggestion: string | undefined): Problem {
  return new Problem({ type: 'configuration', code: 'conflict', message, suggestion })
}
