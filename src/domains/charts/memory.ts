/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { Facts } from '#clients/podman/system.ts'
import { emptyEngineMemory, type EngineMemory } from '#domains/containers/memory.ts'
import type { Labels } from '#domains/containers/record.ts'

/** Events are remembered by `kind name`. */
export type Memory = EngineMemory & {
  /** By id: ids of secrets are never used again, and labels never change. */
  readonly secretLabels: Map<string, Labels>
  /** What kind of Podman this is, once someone had to ask. */
  facts?: Facts
}

export function emptyMemory(): Memory {
  return { ...emptyEngineMemory(), secretLabels: new Map() }
}
