/** Sends what happened to Flux's notification-controller, as Flux's own controllers do, so that its Alerts hear of it. */
import { hostname } from 'node:os'
import { connect, type Connection } from '#clients/http/connection.ts'
import { textOf } from '#model/read-json.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Log } from '#model/log.ts'
import { problemOf } from '#model/problem.ts'
import { timeText } from './conditions.ts'
import type { FluxObject } from './kinds.ts'

export type Happened = {
  readonly one: FluxObject
  readonly type: 'Normal' | 'Warning'
  readonly reason: string
  readonly message: string
  readonly metadata: Readonly<Record<string, string>>
  /** The name under which Alerts know the sender: `kustomize-controller`. */
  readonly reporter: string
}

type NotifyParts = {
  /** Where it listens; undefined: nobody does. */
  readonly address: () => string | undefined
  readonly clock: Clock
  readonly log: Log
}

/** Where it is in a cluster that Flux was installed in. */
export const usualAddress = 'http://notification-controller.flux-system.svc.cluster.local./'

const patience = 5_000
const tries = 4
/** How many events wait to be sent at most. Beyond that the newest are dropped. */
const mostWaiting = 2_000
/** What its API takes. */
const longest = 39_000

/** One after another, in the order in which they happened; nothing waits for them. */
export function notifierOf({ address, clock, log }: NotifyParts) {
  let last: Promise<void> = Promise.resolve()
  let waiting = 0
  let hasFailed = false

  async function send(url: string, body: string): Promise<void> {
    for (let attempt = 1; attempt <= tries; attempt += 1) {
      try {
        await post(url, body)
        if (hasFailed) log('info', "Flux's notification-controller takes events again")
        hasFailed = false
        return
      } catch (thrown) {
        if (attempt < tries) await clock.sleep(1_000 * attempt, AbortSignal.timeout(60_000))
        else if (!hasFailed) {
          hasFailed = true
          const why = problemOf(thrown).message
          log('warning', "Flux's notification-controller takes no events", { address: url, why })
        }
      }
    }
  }

  return function tell(happened: Happened): void {
    const url = address()
    if (url === undefined || waiting >= mostWaiting) return
    waiting += 1
    const body = JSON.stringify(eventOf(happened, clock.now()))
    // Alerts miss one event; the status says the same
    last = last
      .then(() => send(url, body))
      .catch(() => undefined)
      .finally(() => (waiting -= 1))
  }
}

function eventOf({ one, type, reason, message, metadata, reporter }: Happened, now: number) {
  const { namespace, name, uid, resourceVersion, object } = one
  const said = Object.entries(one.annotations).filter(([key]) => key.startsWith(ownKeys))
  const all: JsonRecord = { ...metadata, ...Object.fromEntries(said) }
  return {
    involvedObject: {
      kind: textOf(object['kind']),
      namespace,
      name,
      uid,
      apiVersion: textOf(object['apiVersion']),
      resourceVersion,
    },
    severity: type === 'Warning' ? 'error' : 'info',
    timestamp: timeText(now),
    message: message.slice(0, longest),
    reason,
    ...(Object.keys(all).length === 0 ? {} : { metadata: all }),
    reportingController: reporter,
    reportingInstance: hostname(),
  }
}

/** Annotations of an object that go with each of its events. */
const ownKeys = 'event.toolkit.fluxcd.io/'

/** 429 counts as success: notification-controller says by it that it got the same event before. */
async function post(url: string, body: string): Promise<void> {
  const { hostname: host, port, protocol, pathname } = new URL(url)
  const isTls = protocol === 'https:'
  const place = { host, port: port === '' ? (isTls ? 443 : 80) : Number(port) }
  const connection: Connection = connect(
    { ...place, ...(isTls ? { tls: { isVerified: true } } : {}) },
    1,
  )
  try {
    const { status, body: said } = await connection.send({
      method: 'POST',
      path: pathname,
      headers: { 'Content-Type': 'application/json', Host: place.host },
      body,
      signal: AbortSignal.timeout(patience),
      silence: patience,
    })
    for await (const _ of said) continue
    if (status >= 300 && status !== 429) throw new Error(`it answered ${status}`)
  } finally {
    connection.close()
  }
}
