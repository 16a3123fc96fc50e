/** What one look sees of a container. */
import type { Podman } from '#clients/podman/client.ts'
import { recordOf, textOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Gate } from '#model/plan.ts'
import type { Subject } from './subject.ts'
import type { Memory } from '../memory.ts'

export type Sight = {
  readonly podman: Podman
  readonly memory: Memory
  readonly about: Subject
  readonly gate: Gate
  readonly signal: AbortSignal
  /** As inspected. */
  readonly found: JsonRecord
}

/** Since its last start, ms. */
export function uptimeOf(found: JsonRecord): number {
  return Date.now() - Date.parse(textOf(recordOf(found['State'])['StartedAt']))
}
