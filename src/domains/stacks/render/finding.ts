/** What is to be said of a file beside what it is turned into. */
import type { Json } from '#model/json.ts'
import type { Code, Place, SecurityLines } from '#model/problem.ts'
import type { Path } from './stage.ts'

export type Finding = {
  readonly path: Path
  /** Where it is in another file than the Compose file. */
  readonly at?: Place | undefined
  readonly isError: boolean
  readonly code: Code
  readonly message: string
  readonly suggestion?: string
  readonly allowedBy?: SecurityLines | undefined
}

export function impossible(path: Path, what: string, suggestion: string): Finding {
  const message = `${what} can't be carried out here`
  return { path, isError: true, code: 'unsupported', message, suggestion }
}

export function passedOver(path: Path, what: string): Finding {
  return { path, isError: false, code: 'unsupported', message: `${what} has no effect here` }
}

export function isSet(value: Json | undefined): boolean {
  if (value === undefined || value === null || value === false || value === '') return false
  return typeof value !== 'object' || Object.keys(value).length > 0
}
