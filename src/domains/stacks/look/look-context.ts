/** What one look sees of a container. */
import type { Docker } from '#clients/docker/client.ts'
import type { InspectedContainer } from '#model/container-engine.ts'
import type { Memory } from '../memory.ts'
import type { Subject } from './subject.ts'

export type LookContext = {
  readonly docker: Docker
  readonly memory: Memory
  readonly about: Subject
  readonly signal: AbortSignal
  /** As inspected. */
  readonly found: InspectedContainer
}
