/** The defaults of a fleet: its folder, and what a run of it does. Pure. */
import { join, resolve } from 'node:path'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { RunOptions } from '#domains/fleet/fleet-context.ts'

export const reconciling: RunOptions = {
  mode: 'reconcile',
  prunesAbsent: false,
  isAll: false,
  recreates: false,
}

export function folderOf(
  settings: FleetSettings,
  namespace: string | undefined,
  home: string,
): string {
  const usual = namespace === undefined ? 'fleet' : `fleet-${namespace}`
  return resolve(settings.folder ?? join(home, usual))
}
