/** The application that a fleet is. */
import type { Application } from '#model/application.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'

export function fleetApplication(settings: FleetSettings): Application {
  return { kind: 'fleet', namespace: null, name: settings.name ?? 'fleet' }
}
