/** What surrounds every manifest: apiVersion, kind, metadata. */
import * as z from 'zod/mini'
import { bad, rule } from '#formats/schema/rule.ts'
import { scalar, scalars } from '#formats/schema/terms.ts'
import { name } from './terms.ts'

export const apiVersions = ['cutepod/v1alpha0', 'cutepod/v1alpha1', 'cutepod.io/v1'] as const

const label = z
  .string()
  .check(
    rule((key) =>
      /^(tend|cutepod\.io)\//.test(key)
        ? bad('labels that begin with tend/ or cutepod.io/ are set by Tend itself')
        : undefined,
    ),
  )

export const metadata = z.strictObject({
  name: name.check(z.describe('Its name in the chart; others refer to it by this')),
  labels: z.optional(
    z.record(label, scalar).check(z.describe('Labels of your own, put on it in Podman')),
  ),
  annotations: z.optional(scalars.check(z.describe('For people and other tools; no effect'))),
})
export type Metadata = z.infer<typeof metadata>
