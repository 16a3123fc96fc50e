/** What one look sees of a container. */
import type { Podman } from '#clients/podman/client.ts'
import type { InspectedContainer } from '#model/container-engine.ts'
import type { Subject } from './subject.ts'
import type { Memory } from '../memory.ts'

export type LookContext = {
  readonly podman: Podman
  readonly memory: Memory
  readonly about: Subject
  readonly signal: AbortSignal
  /** As inspected. */
  readonly found: InspectedContainer
}
