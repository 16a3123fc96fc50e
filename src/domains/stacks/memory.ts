/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { EngineFacts } from '#clients/docker/system.ts'
import { emptyEngineMemory, type EngineMemory } from '#domains/containers/memory.ts'
import type { Adopted } from './adopt-labels.ts'
import type { Lists } from './observe/lists.ts'

/** Events are remembered by `owner kind name`. */
export type Memory = EngineMemory & {
  /** What a dry run looks at as if it had been taken over, by owner. */
  readonly asIfAdopted: Map<string, Adopted>
  /** The marker is read and written by one at a time. */
  marking?: Promise<void>
  /** What kind of engine this is. */
  facts?: Promise<EngineFacts>
  /** Lists under way or just taken, for all who look now. */
  lists?: { readonly takenAt: number; readonly taken: Promise<Lists>; isDone: boolean }
}

export function emptyMemory(): Memory {
  return { ...emptyEngineMemory(), asIfAdopted: new Map() }
}
