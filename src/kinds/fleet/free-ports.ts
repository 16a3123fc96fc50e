/** Which ports of the host are free for clusters. A port that HAProxy will listen on is taken, even before HAProxy was started. */
import { host } from '#clients/providers/host.ts'
import type { FleetSettings } from '#domains/fleet/settings.ts'
import type { HostChecks } from '#model/clusters.ts'

export function hostBeside({ haproxy }: Pick<FleetSettings, 'haproxy'>): HostChecks {
  const binds = haproxy === undefined ? [] : [haproxy.http ?? '*:80', haproxy.https ?? '']
  const taken = new Set(
    binds.flatMap((bind) =>
      [...bind.matchAll(/:(\d+)(?=[\s,]|$)/g)].map(([, port]) => Number(port)),
    ),
  )
  return {
    isPortFree: async (port) => !taken.has(port) && host.isPortFree(port),
    isSubnetFree: (subnet) => host.isSubnetFree(subnet),
  }
}
