/** What is written on every object in Podman, beside the record that all domains write. */
import { ownerLabels, recordLabel, type Labels } from '#domains/containers/record.ts'
import type { Identity } from '#model/application.ts'
import type { Ref } from '#model/ref.ts'
import type { Need } from '#model/resource.ts'

export const label = {
  ...recordLabel,
  /** Of a secret: which of its keys this object holds. */
  key: 'tend/key',
  /** Of a container that is only tried out and then removed. */
  rehearsal: 'tend/rehearsal',
  chart: 'cutepod.io/chart',
  version: 'cutepod.io/version',
  managedBy: 'cutepod.io/managed-by',
} as const

export function identityLabels(identity: Identity, ref: Ref, needs: readonly Need[]): Labels {
  return {
    ...ownerLabels(identity, ref, needs),
    [label.chart]: identity.application.name,
    [label.version]: identity.version,
    [label.managedBy]: 'tend',
  }
}
