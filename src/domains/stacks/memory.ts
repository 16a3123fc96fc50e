/** What one target remembers between looks and calls: only what can't become wrong, or what a later look corrects. */
import type { EngineFacts } from '#clients/docker/system.ts'
import { emptyEngineMemory, type EngineMemory } from '#domains/containers/memory.ts'
import type { serialQueue } from '#engine/serial-queue.ts'
import type { Adopted } from './adopt-labels.ts'
import { keptSettings, type KeptSettings } from './observe/kept-settings.ts'
import { usualNames, type UsualNames } from './observe/usual-names.ts'
import type { Lists } from './observe/lists.ts'
import { buildReaders, type BuildReaders } from './operate/build-readers.ts'

/** Events are remembered by `owner kind name`. */
export type Memory = EngineMemory & {
  /** What a dry run looks at as if it had been taken over, by owner. */
  readonly asIfAdopted: Map<string, Adopted>
  /** The marker is read and written by one at a time. */
  marking?: Promise<void>
  /** The bound files of an application are filled by one container at a time, since several may share a folder. */
  readonly filling: Map<string, ReturnType<typeof serialQueue>>
  /** What images of Podman bring along for whoever builds on them, by id. */
  readonly onBuild: Map<string, readonly string[]>
  /** Builds of followed applications that are under way. */
  readonly readers: BuildReaders
  /** The names that parts of followed applications have by themselves. */
  readonly usualNames: UsualNames
  /** What kind of engine this is. */
  facts?: Promise<EngineFacts>
  /** What no list tells, as long as somebody listens to the engine. */
  readonly settings: KeptSettings
  /** Lists under way or just taken, for all who look now. */
  lists?: { readonly takenAt: number; readonly taken: Promise<Lists>; isDone: boolean }
}

export function emptyMemory(): Memory {
  return {
    ...emptyEngineMemory(),
    asIfAdopted: new Map(),
    settings: keptSettings(),
    filling: new Map(),
    onBuild: new Map(),
    readers: buildReaders(),
    usualNames: usualNames(),
  }
}
