/** What every part of the render works with. */
import type { Loaded } from '#formats/compose/load.ts'
import { recordOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Place } from '#model/problem.ts'
import type { Sealed } from '#model/value.ts'
import type { StackInput } from '../stack-input.ts'
import type { Placing } from './placing.ts'

export type Stage = {
  readonly input: StackInput
  readonly loaded: Loaded
  readonly model: JsonRecord
  readonly project: string
  /** Of a service: first the one that is written, then those that are right too. */
  readonly hashes: (service: string) => readonly string[]
  readonly composeVersion: string
  /** The folder whose files are the project's own. */
  readonly root: string
  readonly placing: Placing
  /** Filled as the render goes. */
  readonly secrets: Map<string, Uint8Array>
}

export type Path = readonly (string | number)[]

/** Of the key, or of the nearest one above it that was written by hand. */
export function placeAt({ loaded }: Stage, path: Path): Place {
  for (let length = path.length; length > 0; length -= 1) {
    const found = loaded.positionOf(path.slice(0, length))
    if (found !== undefined) return found
  }
  return { file: loaded.configFiles[0] ?? '', line: 1, column: 1 }
}

export function servicesOf({ model }: Stage): readonly (readonly [string, JsonRecord])[] {
  const services = recordOf(model['services'])
  return Object.keys(services).map((name) => [name, recordOf(services[name])] as const)
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
