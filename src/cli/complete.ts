/** Answers a shell that asks what may follow. Never fails: no candidates are an answer too. */
import { candidatesFor } from './completion.ts'
import type { Session } from './session.ts'

export async function complete(typed: readonly string[], session: Session): Promise<string> {
  const memory = await session.memoryIfAny().catch(() => undefined)
  const records = (await memory?.store.applications().catch(() => [])) ?? []
  const names = records
    .filter(({ isUninstalled }) => !isUninstalled)
    .map(({ application }) => application.name)
  const isSchema = typed.includes('schema')
  const kinds = isSchema ? [...(await session.schemas()).names, 'tend.yaml'] : []
  const { words, files } = candidatesFor(typed, [...new Set(names)], kinds)
  return [...words, ...(files ? [':files'] : [])].join('\n')
}
