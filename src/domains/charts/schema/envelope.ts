/** What surrounds every manifest: apiVersion, kind, metadata. */
import * as z from 'zod/mini'
import { name, scalar, scalars } from './terms.ts'

export const apiVersions = ['cutepod/v1alpha0', 'cutepod/v1alpha1', 'cutepod.io/v1'] as const

export const metadata = z.strictObject({
  name: name.check(z.describe('Its name in the chart; others refer to it by this')),
  labels: z.optional(scalars.check(z.describe('Labels of your own, put on it in Podman'))),
  annotations: z.optional(z.record(z.string(), scalar)),
})
export type Metadata = z.infer<typeof metadata>
