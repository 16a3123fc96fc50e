/** Stacks: Compose files, run on Docker or Podman. */
import type { ApplicationKind } from '#model/application-kind.ts'

export const stacks: ApplicationKind = {
  name: 'stack',
  words: {
    title: 'Stack',
    plural: 'stacks',
    removeCommand: ({ name }) => `tend down -p ${name}`,
    argument: ({ name }) => name,
  },
}
