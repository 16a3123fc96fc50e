/** Charts: folders of templates, run on Podman. */
import type { ApplicationKind } from '#model/application-kind.ts'

export const charts: ApplicationKind = {
  name: 'chart',
  words: {
    title: 'Chart',
    plural: 'charts',
    removeCommand: ({ name }) => `tend uninstall ${name}`,
    argument: ({ name }) => name,
  },
}
