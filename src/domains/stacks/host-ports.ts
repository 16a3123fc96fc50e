/** The host's ports that a service publishes. */
import { recordsOf, textOf, numberOf } from '#clients/http/read.ts'
import type { RecordedService } from './spec-of.ts'

/** `hostPort` 0: the engine chooses, among all or within a range. */
export type HostPort = {
  readonly containerPort: number
  readonly hostPort: number
  readonly range: string
  readonly protocol: string
  readonly hostIP: string
}

export function hostPortsOf({ service }: Pick<RecordedService, 'service'>): readonly HostPort[] {
  return recordsOf(service['ports']).map((port) => {
    const published = textOf(port['published'])
    return {
      containerPort: numberOf(port['target']),
      hostPort: /^\d+$/.test(published) ? Number(published) : 0,
      range: published,
      protocol: textOf(port['protocol']) || 'tcp',
      hostIP: textOf(port['host_ip']),
    }
  })
}
