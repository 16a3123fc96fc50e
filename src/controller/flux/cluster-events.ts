/** Events of Kubernetes on Flux's objects: what `kubectl describe` and `flux events` show of what happened. */
import { randomBytes } from 'node:crypto'
import { escapeControls } from '#model/control-characters.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { textOf } from '#model/read-json.ts'
import { createObject } from '#clients/kubernetes/objects.ts'
import type { Clock } from '#model/clock.ts'
import { problemOf } from '#model/problem.ts'
import type { Log } from '#model/log.ts'
import { timeText } from './conditions.ts'
import { events, type FluxObject } from './kinds.ts'
import type { Happened } from './notify.ts'

export type ClusterEvents = {
  tell(
    one: FluxObject,
    type: 'Normal' | 'Warning',
    reason: string,
    message: string,
    about?: About,
  ): void
}

export type About = {
  /** `main@sha1:…` */
  readonly revision?: string | undefined
  /** It only brings a commit status up to date: chats are not told. */
  readonly isUpdate?: boolean
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
export function clusterEvents(
  kubernetes: Kubernetes,
  clock: Clock,
  log: Log,
  /** Hears of each besides. */
  notify: (happened: Happened) => void = () => undefined,
): ClusterEvents {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0

  function later(work: () => Promise<void>): void {
    if (waiting >= mostWaiting) return
    waiting += 1
    last = last.then(work).finally(() => (waiting -= 1))
  }

  return {
    tell(one, type, reason, said, about = {}) {
      const message = escapeControls(said)
      const [apiVersion, kind] = [textOf(one.object['apiVersion']), textOf(one.object['kind'])]
      const { namespace, name, uid, resourceVersion } = one
      const component = reporters[kind] ?? 'tend'
      const metadata = metadataOf(apiVersion, about)
      notify({ one, type, reason, message, metadata, reporter: component })
      const now = timeText(clock.now())
      const at = `${name}.${randomBytes(8).toString('hex')}`
      const event = {
        apiVersion: 'v1',
        kind: 'Event',
        metadata: {
          name: at,
          namespace,
          ...(Object.keys(metadata).length === 0 ? {} : { annotations: metadata }),
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

/** Below the group of the object, as Flux has it. */
function metadataOf(apiVersion: string, { revision, isUpdate }: About): Record<string, string> {
  const group = apiVersion.split('/')[0] ?? ''
  return {
    ...(revision === undefined ? {} : { [`${group}/revision`]: revision }),
    ...(isUpdate === true ? { [`${group}/commit_status`]: 'update' } : {}),
  }
}
