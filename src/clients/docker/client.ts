/** Speaks the Docker Engine API, Docker's or Podman's: agrees on a version, builds the call, checks the status, gives back what was said. */
import { jsonFrom, textFrom } from '#clients/http/body.ts'
import { connect, type Answer } from '#clients/http/connection.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import { serverAddressOf } from './engine-address.ts'
import { agreed, apiVersionOf, isBeyondOurs, isVersionRefusal } from './negotiate.ts'
import { broken, refusal } from './problem.ts'

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export type Ask = {
  /** A list sends the same name several times. */
  readonly query?: Readonly<
    Record<string, string | number | boolean | readonly string[] | undefined>
  >
  /** Bytes are sent as a tar archive. */
  readonly body?: Json | Uint8Array | AsyncIterable<Uint8Array>
  readonly headers?: Readonly<Record<string, string>>
  readonly signal: AbortSignal
  /** Statuses beside 2xx that are an answer and not an error: 404 when absence is fine, 304 when it runs already. */
  readonly fine?: readonly number[]
  /** The longest silence, ms; a minute by default, 0 for no limit. */
  readonly silence?: number
  /** What a container decides the length of does not take the place of other calls. */
  readonly isApart?: boolean
  /** Begins the sentence when it goes wrong: "could not start container web". */
  readonly doing: string
  /** The path is sent as it is, without a version before it. */
  readonly isBare?: boolean
}

export type DockerAnswer = {
  readonly status: number
  readonly body: Json
  readonly headers: Answer['headers']
}

type Stream = {
  readonly status: number
  readonly body: AsyncIterable<Uint8Array>
  readonly headers: Answer['headers']
}

export type Docker = {
  /** The address as a user would type it: `unix:///var/run/docker.sock`. */
  readonly address: string
  /** Whether paths and addresses of the target are those of this machine. */
  readonly isLocal: boolean
  /** The version that is spoken, agreed on at the first call and kept. */
  apiVersion(signal: AbortSignal): Promise<string>
  ask(method: Method, path: string, ask: Ask): Promise<DockerAnswer>
  /** A body that goes on for long: events, logs, pulls. */
  stream(method: Method, path: string, ask: Ask): Promise<Stream>
  close(): void
}

/** Each connection over ssh is a process here and a session there. */
const mostOverSsh = 6

export function dockerAt(engine: EngineAddress): Docker {
  const { address } = engine
  const place = serverAddressOf(engine)
  const connection = 'open' in place ? connect(place, mostOverSsh) : connect(place)
  let version: string | undefined
  let agreeing: Promise<string> | undefined

  /** Many callers at once make one call to the engine. */
  async function apiVersion(signal: AbortSignal): Promise<string> {
    if (version !== undefined) return version
    // whoever began it may have been told to stop: that is no news for us
    if (agreeing !== undefined) return agreeing.catch(() => askVersion(signal))
    agreeing = askVersion(signal)
    try {
      return await agreeing
    } finally {
      agreeing = undefined
    }
  }

  async function askVersion(signal: AbortSignal): Promise<string> {
    const doing = `could not reach the engine`
    const bare = { signal, doing, silence: 30_000, isBare: true } as const
    const ping = await raw('GET', '/_ping', bare)
    await textFrom(ping)
    let range = { highest: apiVersionOf(ping), lowest: '' }
    if (isBeyondOurs(range.highest)) {
      const facts = recordOf(await jsonFrom(await raw('GET', '/version', bare)))
      range = { highest: textOf(facts['ApiVersion']), lowest: textOf(facts['MinAPIVersion']) }
    }
    return (version = agreed(range, address))
  }

  /** When the engine refuses the version, it is agreed on anew, once: the call itself was not looked at. */
  async function send(method: Method, path: string, ask: Ask): Promise<Answer> {
    if (ask.isBare === true) return raw(method, path, ask)
    const before = await apiVersion(ask.signal)
    try {
      return await raw(method, `/v${before}${path}`, ask)
    } catch (error) {
      if (!(error instanceof VersionRefused) || !isRepeatable(ask.body)) throw error
      if (version === before) version = undefined
      return raw(method, `/v${await apiVersion(ask.signal)}${path}`, ask)
    }
  }

  async function raw(method: Method, path: string, ask: Ask): Promise<Answer> {
    const { body, signal } = ask
    const isTar = body instanceof Uint8Array || isStream(body)
    const silence = ask.silence ?? 60_000
    const answer = await connection.send({
      method,
      path: path + queryText(ask.query ?? {}),
      headers: {
        // with TLS it is the name that the certificate has to have
        ...('host' in place ? {} : { Host: 'docker' }),
        ...(body === undefined
          ? {}
          : { 'Content-Type': isTar ? 'application/x-tar' : 'application/json' }),
        ...ask.headers,
      },
      ...(body === undefined ? {} : { body: isTar ? body : JSON.stringify(body) }),
      signal,
      ...(silence === 0 ? {} : { silence }),
      isApart: ask.isApart ?? false,
    })
    if (answer.status < 300 || (ask.fine ?? []).includes(answer.status)) return answer
    const text = await textFrom(answer)
    if (isVersionRefusal(answer.status, text)) throw new VersionRefused(text)
    throw refusal(ask.doing, answer.status, text)
  }

  async function guarded<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      ask.signal.throwIfAborted()
      if (error instanceof VersionRefused) throw refusal(ask.doing, 400, error.message)
      throw broken(ask.doing, address, error)
    }
  }
  return {
    address,
    isLocal: 'socketPath' in place,
    close: () => connection.close(),
    apiVersion: (signal) =>
      guarded({ signal, doing: 'could not reach the engine' }, () => apiVersion(signal)),
    ask: (method, path, ask) =>
      guarded(ask, async () => {
        const answer = await send(method, path, ask)
        const { status, headers } = answer
        return { status, headers, body: await jsonFrom(answer) }
      }),
    stream: (method, path, ask) =>
      guarded(ask, async () => {
        const { status, headers, body } = await send(method, path, ask)
        return { status, headers, body: told(body, ask, address) }
      }),
  }
}

class VersionRefused extends Error {}

/** A body that was streamed can't be sent again. */
function isRepeatable(body: Ask['body']): boolean {
  return !isStream(body)
}

function isStream(body: Ask['body']): body is AsyncIterable<Uint8Array> {
  return typeof body === 'object' && body !== null && Symbol.asyncIterator in body
}

/** A stream that breaks off is a problem, as a call that does so is. */
async function* told(
  body: AsyncIterable<Uint8Array>,
  ask: Ask,
  address: string,
): AsyncIterable<Uint8Array> {
  try {
    yield* body
  } catch (error) {
    ask.signal.throwIfAborted()
    throw broken(ask.doing, address, error)
  }
}

function queryText(query: NonNullable<Ask['query']>): string {
  const used = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value === undefined) continue
    if (typeof value === 'object') for (const one of value) used.append(name, one)
    else used.set(name, String(value))
  }
  return used.size === 0 ? '' : `?${used.toString()}`
}
