/** What every part of the render works with. */
import type { Loaded } from '#formats/compose/load/load.ts'
import type { Project } from '#formats/compose/project.ts'
import type { Service } from '#formats/compose/schema/file.ts'
import type { Place } from '#model/problem.ts'
import type { Sealed } from '#model/value.ts'
import type { StackInput } from '../stack-input.ts'
import type { Placing } from './placing.ts'

export type Stage = {
  readonly input: StackInput
  readonly loaded: Loaded
  readonly model: Project
  readonly project: string
  /** Of a service: first the one that is written, then those that are right too. */
  readonly hashes: (service: string) => readonly string[]
  /** Of one that uses something of another container: what is hashed once that one's id is known, in the same order. */
  readonly joinedTexts: (service: string) => readonly string[]
  readonly composeVersion: string
  /** The folder whose files are the project's own. */
  readonly root: string
  readonly placing: Placing
  /** Filled as the render goes. */
  readonly secrets: Map<string, Uint8Array>
}

export type Path = readonly (string | number)[]

/** Of the key, or of the nearest one above it that was written by hand. */
export function placeAt({ loaded }: Pick<Stage, 'loaded'>, path: Path): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const found = loaded.positionOf(path.slice(0, length))
    if (found !== undefined) return found
  }
  return { file: loaded.configFiles[0] ?? '', line: 1, column: 1 }
}

export function servicesOf({ model }: Stage): readonly (readonly [string, Service])[] {
  return Object.entries(model.services)
}

/** Names are the user's own: one such as `constructor` is not what every object has. */
export function byName<T>(all: Readonly<Record<string, T>>, name: string): T | undefined {
  return Object.hasOwn(all, name) ? all[name] : undefined
}

/** The same id for the same place, so that its salt stays the same too. */
export function seal(stage: Stage, id: string, content: Uint8Array): Sealed {
  stage.secrets.set(id, content)
  return { sealed: id }
}

/** Only what is set: an empty text, list or record counts as unset. */
export function filled<Fields extends object>(fields: Fields): Partial<Fields> {
  const kept: Partial<Fields> = { ...fields }
  for (const [key, value] of Object.entries(fields)) {
    const isEmpty =
      value === '' || (typeof value === 'object' && Object.keys(value ?? {}).length === 0)
    if (isEmpty) Reflect.deleteProperty(kept, key)
  }
  return kept
}
