/** How many pods a workload wants, and how many of them are ready, as its own status tells. */
import type { JsonRecord } from '#model/json.ts'
import { recordOf, textOf } from '#model/read-json.ts'

export type ReadyPods = { readonly running: number; readonly total: number }

const none: ReadyPods = { running: 0, total: 0 }

/** Of what makes no pods there are none. */
export function readyPods(object: JsonRecord): ReadyPods {
  const [spec, status] = [recordOf(object['spec']), recordOf(object['status'])]
  const count = (value: unknown, otherwise = 0): number =>
    typeof value === 'number' ? value : otherwise
  switch (textOf(object['kind'])) {
    case 'Deployment':
    case 'StatefulSet':
    case 'ReplicaSet':
      return { running: count(status['readyReplicas']), total: count(spec['replicas'], 1) }
    case 'DaemonSet':
      return {
        running: count(status['numberReady']),
        total: count(status['desiredNumberScheduled']),
      }
    case 'Pod':
      return { running: status['phase'] === 'Running' ? 1 : 0, total: 1 }
    default:
      return none
  }
}
