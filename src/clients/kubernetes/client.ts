/** Speaks a cluster's API on raw JSON, so that no field is ever lost: proves who we are, waits where it is told to, checks the status. */
import { setTimeout as pause } from 'node:timers/promises'
import { textFrom } from '#clients/http/body.ts'
import { ConnectionError } from '#clients/http/connection.ts'
import type { Json } from '#model/json.ts'
import type { Problem } from '#model/problem.ts'
import { openChannel, type ChannelAnswer } from './channel.ts'
import type { ClusterAccess, Impersonation } from './cluster-access.ts'
import { paceOf } from './pace.ts'
import { broken, refusal } from './problem.ts'
import type { SessionTimes } from './session.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'

export type Ask = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: Json
  /** What the body is, where it is not plain JSON: kinds of patches. */
  readonly contentType?: string
  readonly accept?: string
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Statuses beside 2xx that are an answer and not an error: 404 when absence is fine. */
  readonly fine?: readonly number[]
  /** The longest silence, ms; by default half a minute. */
  readonly silence?: number
  /** The longest that the call may take, ms, including waits that the server asks for. */
  readonly limit?: number
  /** Begins the sentence when it goes wrong: "could not apply ConfigMap default/web". */
  readonly doing: string
}

export type KubernetesAnswer = {
  readonly status: number
  readonly body: Json
  readonly headers: ChannelAnswer['headers']
}

export type Kubernetes = {
  /** `https://127.0.0.1:6443` */
  readonly server: string
  /** The namespace of objects that name none. */
  readonly namespace: string
  ask(method: Method, path: string, ask: Ask): Promise<KubernetesAnswer>
  /** A body that goes on for long: watches, logs. Its silence has no limit by default. */
  stream(path: string, ask: Ask): Promise<AsyncIterable<Uint8Array>>
  /** The same cluster in another's name, over the same connections. */
  as(impersonation: Impersonation | undefined): Kubernetes
  close(): void
}

export type ClientOptions = {
  readonly times?: SessionTimes
  /** How often a call that the server turned away is made again by itself. */
  readonly mostWaits?: number
}

const usualSilence = 30_000
/** How many calls are under way at once, while the server does not ask for fewer. */
const mostCalls = 96
/** The longest that a server may make us wait, in seconds. */
const longestWait = 30

export function kubernetesAt(access: ClusterAccess, options: ClientOptions = {}): Kubernetes {
  const channel = openChannel(access, options.times)
  const prefix = new URL(access.server).pathname.replace(/\/$/, '')
  const mostWaits = options.mostWaits ?? 8
  const pace = paceOf(mostCalls)

  function inTheNameOf(impersonation: Impersonation | undefined): Kubernetes {
    const names = impersonationHeaders(impersonation)

    async function once(
      method: Method,
      path: string,
      ask: Ask,
      silence: number | undefined,
      isStale: boolean,
    ): Promise<ChannelAnswer> {
      const { authorization, certificate } = await access.credential(isStale, ask.signal)
      const { body, signal } = ask
      const text = body === undefined ? undefined : JSON.stringify(body)
      const headers = {
        accept: ask.accept ?? 'application/json',
        'user-agent': 'tend',
        ...(authorization === undefined ? {} : { authorization }),
        ...(text === undefined ? {} : { 'content-type': ask.contentType ?? 'application/json' }),
        ...names,
        ...ask.headers,
      }
      const call = { method, path: prefix + path + queryText(ask.query ?? {}), headers, signal }
      const more = {
        ...(silence === undefined ? {} : { silence }),
        ...(ask.limit === undefined ? {} : { limit: ask.limit }),
      }
      return channel.send(
        { ...call, ...(text === undefined ? {} : { body: text }), ...more },
        certificate,
      )
    }

    /** Limits the number of calls. Watches are few and long, so only calls that end are counted. */
    async function paced(...call: Parameters<typeof once>): Promise<ChannelAnswer> {
      const [, , ask, silence] = call
      if (silence === undefined) return once(...call)
      await pace.enter(ask.signal)
      let wasTooMany = false
      try {
        const answer = await once(...call)
        wasTooMany = answer.status === 429
        return answer
      } finally {
        pace.leave(wasTooMany)
      }
    }

    /** A credential that was refused is renewed once. A server that is too busy did nothing yet, and is asked again. */
    async function send(
      method: Method,
      path: string,
      ask: Ask,
      silence: number | undefined,
    ): Promise<ChannelAnswer> {
      let isStale = false
      const began = Date.now()
      for (let waits = 0; ;) {
        const left = ask.limit === undefined ? {} : { limit: ask.limit - (Date.now() - began) }
        const answer = await paced(method, path, { ...ask, ...left }, silence, isStale)
        if (answer.status < 300 || (ask.fine ?? []).includes(answer.status)) return answer
        const text = await textFrom(answer)
        if (answer.status === 401 && !isStale) {
          isStale = true
          continue
        }
        const seconds = waitAskedFor(answer)
        const isLate =
          ask.limit !== undefined && Date.now() - began + (seconds ?? 0) * 1000 >= ask.limit
        if (seconds === undefined || waits >= mostWaits || isLate) {
          throw refusal(ask.doing, answer.status, text)
        }
        waits += 1
        await pause(seconds * 1000, undefined, { signal: ask.signal })
      }
    }

    return {
      server: access.server,
      namespace: access.namespace ?? 'default',
      as: inTheNameOf,
      close: () => channel.close(),
      ask: (method, path, ask) =>
        guarded(access.server, ask, async () => {
          const answer = await send(method, path, ask, ask.silence ?? usualSilence)
          const { status, headers } = answer
          return { status, headers, body: jsonOf(await textFrom(answer), headers) }
        }),
      stream: (path, ask) =>
        guarded(access.server, ask, async () => {
          const { body } = await send('GET', path, ask, ask.silence)
          return told(body, ask, access.server)
        }),
    }
  }
  return inTheNameOf(access.impersonation)
}

/** Writes a name as a part of a path. */
export function segment(name: string): string {
  return encodeURIComponent(name)
}

async function guarded<Result>(
  server: string,
  ask: Ask,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work()
  } catch (error) {
    ask.signal.throwIfAborted()
    throw broken(ask.doing, server, error)
  }
}

/** A stream that breaks off is a problem, as a call that does so is. */
async function* told(
  body: AsyncIterable<Uint8Array>,
  ask: Ask,
  server: string,
): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    ask.signal.throwIfAborted()
    throw broken(ask.doing, server, error) satisfies Problem
  }
}

/** How long the server asks to wait: with 429, and with 503 where it names a time. Such a call was not looked at. */
function waitAskedFor({ status, headers }: ChannelAnswer): number | undefined {
  if (status !== 429 && status !== 503) return undefined
  const seconds = Number(headers['retry-after'] ?? (status === 429 ? 1 : Number.NaN))
  return Number.isFinite(seconds) && seconds >= 0 ? Math.min(seconds, longestWait) : undefined
}

function impersonationHeaders(
  who: Impersonation | undefined,
): Readonly<Record<string, string | readonly string[]>> {
  if (who === undefined) return {}
  const extra = Object.entries(who.extra ?? {}).map(
    ([key, values]) =>
      [`impersonate-extra-${encodeURIComponent(key).toLowerCase()}`, values] as const,
  )
  return {
    'impersonate-user': who.user,
    ...(who.groups === undefined ? {} : { 'impersonate-group': who.groups }),
    ...(who.uid === undefined ? {} : { 'impersonate-uid': who.uid }),
    ...Object.fromEntries(extra),
  }
}

function queryText(query: NonNullable<Ask['query']>): string {
  let text = ''
  for (const name in query) {
    const value = query[name]
    if (value === undefined || value === '') continue
    const shown = typeof value === 'string' ? encodeURIComponent(value) : String(value)
    text += `${text === '' ? '?' : '&'}${name}=${shown}`
  }
  return text
}

/** `healthz` answers a bare "ok". An answer that claims to be JSON and is not was cut off. */
function jsonOf(text: string, headers: ChannelAnswer['headers']): Json {
  try {
    const value: Json = JSON.parse(text)
    return value
  } catch (error) {
    if (text === '' || !headers['content-type']?.includes('json')) return text
    throw new ConnectionError('RESET', 'the answer broke off', error)
  }
}
