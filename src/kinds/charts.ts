/** Charts: folders of templates, run on Podman. */
import type { ApplicationKind } from '#model/application-kind.ts'
import type { ChartRequest } from './charts/chart-request.ts'

export const charts: ApplicationKind = {
  name: 'chart',
  words: {
    title: 'Chart',
    plural: 'charts',
    removeCommand: ({ name }) => `tend uninstall ${name}`,
    applyCommand: { command: 'tend install', takes: 'PATH' },
    runtimeProblem: 'podman_api',
    argument: ({ name }) => name,
  },
  load: async () => (await import('#kinds/charts/load.ts')).loadedCharts,
  declaration: async () => (await import('#kinds/charts/declaration.ts')).chartDeclaration,
  async schemas() {
    const { jsonSchema, schemaNames } = await import('#domains/charts/json-schema.ts')
    return { names: schemaNames, schema: jsonSchema }
  },
  async render(request: ChartRequest) {
    const { renderChartRequest } = await import('#kinds/charts/render.ts')
    return renderChartRequest(request)
  },
}
