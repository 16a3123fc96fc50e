/** Speaks libpod's REST API: builds the call, checks the status, gives back what was said. */
import { jsonFrom, textFrom } from '#clients/http/body.ts'
import { connect, type Answer } from '#clients/http/connection.ts'
import type { EngineAddress } from '#model/engine-address.ts'
import type { Json } from '#model/json.ts'
import { serverAddressOf } from './engine-address.ts'
import { broken, refusal } from './problem.ts'

/** The oldest API that 4.x and 5.x both serve, with one shape of answers. */
const base = '/v4.0.0/libpod'

export type Ask = {
  readonly query?: Readonly<Record<string, string | number | boolean | undefined>>
  readonly body?: Json | Uint8Array
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
}

export type PodmanAnswer = {
  readonly status: number
  readonly body: Json
  /** Without: nobody asked over HTTP. */
  readonly headers?: Answer['headers']
}

export type Podman = {
  /** The address as a user would type it: `unix:///run/podman/podman.sock`. */
  readonly address: string
  /** Whether paths and addresses of the target are those of this machine. */
  readonly isLocal: boolean
  ask(method: 'GET' | 'POST' | 'PUT' | 'DELETE', path: string, ask: Ask): Promise<PodmanAnswer>
  /** The parts of a body that goes on for long: events, logs, pulls. */
  stream(method: 'GET' | 'POST', path: string, ask: Ask): Promise<AsyncIterable<Uint8Array>>
  close(): void
}

/** Each connection over ssh is a process here and a session there. */
const mostOverSsh = 6

/** `mostSilence`: no call waits longer for an answer, ms. */
export function podmanAt(engine: string | EngineAddress, mostSilence = Infinity): Podman {
  const named = typeof engine === 'string' ? { address: engine } : engine
  const { address } = named
  const place = serverAddressOf(named, process.env)
  const connection = 'open' in place ? connect(place, mostOverSsh) : connect(place)

  async function send(
    method: 'GET' | 'POST' | 'PUT' | 'DELETE',
    path: string,
    ask: Ask,
  ): Promise<Answer> {
    const { body, signal } = ask
    const isBytes = body instanceof Uint8Array
    const type = isBytes ? 'application/octet-stream' : 'application/json'
    const silence = Math.min(ask.silence ?? 60_000, mostSilence)
    const answer = await connection.send({
      method,
      path: base + path + queryText(ask.query ?? {}),
      headers: {
        // a name that stands for no host; over TLS it would be held against the certificate
        ...('host' in place ? {} : { Host: 'd' }),
        ...(body === undefined ? {} : { 'Content-Type': type }),
        ...ask.headers,
      },
      ...(body === undefined ? {} : { body: isBytes ? body : JSON.stringify(body) }),
      signal,
      ...(silence === 0 ? {} : { silence }),
      isApart: ask.isApart ?? false,
    })
    if (answer.status < 300 || (ask.fine ?? []).includes(answer.status)) return answer
    throw refusal(ask.doing, answer.status, await textFrom(answer))
  }
  async function guarded<Result>(ask: Ask, work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      ask.signal.throwIfAborted()
      throw broken(ask.doing, address, error)
    }
  }
  return {
    address,
    isLocal: 'socketPath' in place,
    close: () => connection.close(),
    ask: (method, path, ask) =>
      guarded(ask, async () => {
        const answer = await send(method, path, ask)
        const { status, headers } = answer
        return { status, headers, body: await jsonFrom(answer) }
      }),
    stream: (method, path, ask) => guarded(ask, async () => (await send(method, path, ask)).body),
  }
}

function queryText(query: NonNullable<Ask['query']>): string {
  const used = new URLSearchParams()
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) used.set(name, String(value))
  }
  return used.size === 0 ? '' : `?${used.toString()}`
}
