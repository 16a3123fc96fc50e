/** Fleets: a table of clusters, each with what it is registered with. */
import type { ApplicationKind } from '#model/application-kind.ts'

export const fleet: ApplicationKind = {
  name: 'fleet',
  words: {
    title: 'Fleet',
    plural: 'fleets',
    argument: ({ name }) => name,
  },
}
