/** Fleets: clusters as the rows of a table or a file of a repository declare them, each with what it is registered with. */
import type { ApplicationKind } from '#model/application-kind.ts'
import type { FleetRequest } from './fleet/fleet-request.ts'

export const fleet: ApplicationKind = {
  name: 'fleet',
  words: {
    title: 'Fleet',
    plural: 'fleets',
    argument: ({ name }) => name,
  },
  hasOwnVerbs: true,
  rows: { noun: 'cluster', plural: 'clusters' },
  async load(around) {
    if (around === undefined) return undefined
    return (await import('#kinds/fleet/load.ts')).loadedFleets(around)
  },
  declaration: async () => (await import('#kinds/fleet/declaration.ts')).fleetDeclaration,
  async schemas() {
    const { fleetSettingsSchema } = await import('#domains/fleet/settings-schema.ts')
    const settings = 'fleet.yaml'
    return {
      names: [settings],
      schema: (name) => (name === settings ? fleetSettingsSchema() : undefined),
    }
  },
  async render(request: FleetRequest) {
    const { renderFleetRequest } = await import('#kinds/fleet/render.ts')
    return renderFleetRequest(request)
  },
}
