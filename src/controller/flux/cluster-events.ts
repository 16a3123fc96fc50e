/** Events of Kubernetes on Flux's objects: what `kubectl describe` and `flux events` show of what happened. */
import { randomBytes } from 'node:crypto'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { textOf } from '#clients/http/read.ts'
import { createObject } from '#clients/kubernetes/objects.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import type { Log } from '#model/log.ts'
import { timeText } from './conditions.ts'
import { events, type FluxObject } from './kinds.ts'

export type ClusterEvents = {
  tell(
    one: FluxObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    revision?: string,
  ): void
}

const reporters: Readonly<Record<string, string>> = {
  Kustomization: 'kustomize-controller',
  GitRepository: 'source-controller',
}
/** What the API takes. */
const longest = 1_000
const patience = 10_000

/** So many wait for their turn; of more the newest are told to nobody. */
const mostWaiting = 2_000

/**
 * They are told once and not waited for: nothing depends on them. Warnings at once; what went well one after another, so that
 * many runs that end together leave the server to those that go on.
 */
export function clusterEvents(kubernetes: Kubernetes, clock: Clock, log: Log): ClusterEvents {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function later(work: () => Promise<void>): void {
    if (waiting >= mostWaiting) return
    waiting += 1
    last = last.then(work).finally(() => (waiting -= 1))
  }

  return {
    tell(one, type, reason, message, revision) {
      const [apiVersion, kind] = [textOf(one.object['apiVersion']), textOf(one.object['kind'])]
      const { namespace, name, uid, resourceVersion } = one
      const component = reporters[kind] ?? 'tend'
      const now = timeText(clock.now())
      const at = `${name}.${randomBytes(8).toString('hex')}`
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: {
          name: at,
          namespace,
          ...(revision === undefined
            ? {}
            : {
                annotations: {
                  [`${component.split('-')[0]}.toolkit.fluxcd.io/revision`]: revision,
                },
              }),
        },
        involvedObject: {
          apiVersion,
          kind,
          namespace,
          name,
          uid,
          resourceVersion,
        },
        type,
        reason,
        message: message.length > longest ? `${message.slice(0, longest - 1)}…` : message,
        source: { component },
        reportingComponent: component,
        reportingInstance: 'tend',
        firstTimestamp: now,
        lastTimestamp: now,
        count: 1,
      }
      const place = { kind: events, namespace, name: at }
      const write = async () => {
        const writing = { signal: AbortSignal.timeout(patience), manager: component }
        try {
          await createObject(kubernetes, place, event, writing)
        } catch (thrown) {
          log('debug', 'an event could not be told', { why: problemOf(thrown).message })
        }
      }
      if (type === 'Warning') void write()
      else later(write)
    },
  }
}
