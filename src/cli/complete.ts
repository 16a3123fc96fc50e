/** Answers a shell that asks what may follow. Never fails: no candidates are an answer too. */
import { loadSchemas } from '#kinds/all.ts'
import { findVerb } from './arguments/find-verb.ts'
import { candidatesFor } from './completion.ts'
import type { Session } from './session.ts'

export async function complete(typed: readonly string[], session: Session): Promise<string> {
  const isFleet = findVerb(typed).typed?.startsWith('fleet ') === true
  // a shell that asks for names is never answered with an error
  const names = await (isFleet ? clusters(typed, session) : applications(session)).catch(() => [])
  const isSchema = typed.includes('schema')
  const kinds = isSchema ? [...(await loadSchemas()).names, 'tend.yaml'] : []
  const { words, files } = candidatesFor(typed, [...new Set(names)], kinds)
  return [...words, ...(files ? [':files'] : [])].join('\n')
}

async function applications(session: Session): Promise<readonly string[]> {
  const memory = await session.memoryIfAny()
  const records = (await memory?.store.applications()) ?? []
  return records
    .filter(({ isUninstalled }) => !isUninstalled)
    .map(({ application }) => application.name)
}

/** The clusters of the table that the line names so far, or of the usual one. */
async function clusters(typed: readonly string[], session: Session): Promise<readonly string[]> {
  const { databaseOf } = await import('./fleet/open.ts')
  const { openClusters } = await import('#store/clusters.ts')
  const at = typed.indexOf('--db')
  const db = at < 0 ? undefined : typed[at + 1]
  const file = databaseOf({ fleet: { db } }, session)
  const table = await openClusters({ file, access: 'read' })
  try {
    return (await table.rows()).map(({ name }) => name)
  } finally {
    await table.close()
  }
}
