/** What a container's creation needs to know beside its spec. */
import type { Labels } from '#domains/containers/record.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import type { Sealed } from '#model/value.ts'
import type { HostPort } from '../host-ports.ts'
import type { AttachmentSpec } from '../spec.ts'

export type Making = {
  readonly labels: Labels
  /** Volumes without a name that the one before had. */
  readonly inherits: readonly { readonly volume: string; readonly target: string }[]
  /** Those that it is made on. */
  readonly networks: readonly AttachmentSpec[]
  readonly apiVersion: string
  /** Of a range, where the engine does not choose by itself. */
  readonly choosePort?: (port: HostPort) => string
  open(secret: Sealed): string
}

export function isInherited({ inherits }: Making, target: string): boolean {
  return inherits.some((mount) => mount.target === target)
}

/** Without what is unset: engines take an empty text or list for a wish. */
export function only(fields: Readonly<Record<string, Json | undefined>>): JsonRecord {
  const kept = Object.entries(fields).filter((entry): entry is [string, Json] => {
    const [, value] = entry
    if (value === undefined || value === '' || value === null) return false
    return typeof value !== 'object' || Object.keys(value).length > 0
  })
  return Object.fromEntries(kept)
}
