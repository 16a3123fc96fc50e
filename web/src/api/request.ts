/** One request to the service: JSON in, JSON out, and what went wrong as one kind of error. */
import { signal } from '@preact/signals'

/** What a problem document says. */
export type Trouble = {
  readonly status: number
  readonly detail: string
  readonly code?: string
  readonly suggestion?: string
  readonly at?: { readonly file: string; readonly line: number; readonly column?: number }
  /** Seconds, when it was too much at once. */
  readonly wait?: number
}

type Method = 'GET' | 'POST' | 'PUT' | 'DELETE'

export class RequestError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.detail)
    this.trouble = trouble
  }
}

/** How long is waited before what only reads is asked again, ms. */
const pauses = [300, 700, 1500] as const
const longestWait = 6000

/** The service does not know this browser (any more): the page shows its login. */
export const isLoginNeeded = signal(false)

export function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return ask<Answer>('GET', path, undefined, signal)
}

export function ask<Answer>(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  return patiently(method, signal, async () => {
    const response = await sendOnce(method, path, body, signal)
    const answer: Answer = response.status === 204 ? JSON.parse('null') : await response.json()
    return answer
  })
}

/** The answer as it comes: for streams. */
export function send(
  method: Method,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  return patiently(method, signal, () => sendOnce(method, path, body, signal))
}

async function sendOnce(
  method: Method,
  path: string,
  body: unknown,
  signal: AbortSignal | undefined,
): Promise<Response> {
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    ...(body === undefined
      ? {}
      : { body: JSON.stringify(body), headers: { 'Content-Type': 'application/json' } }),
    ...(signal === undefined ? {} : { signal }),
  })
  if (response.ok) return response
  if (response.status === 401) isLoginNeeded.value = true
  throw new RequestError(await troubleOf(response))
}

/**
 * What only reads is asked again: when a machine changes its network the browser drops what is under way, be it in the middle of an
 * answer, and who was told to wait a moment waits.
 */
async function patiently<Answer>(
  method: Method,
  signal: AbortSignal | undefined,
  work: () => Promise<Answer>,
  tries = 0,
): Promise<Answer> {
  try {
    return await work()
  } catch (thrown) {
    if (signal?.aborted === true) throw thrown
    const pause = method === 'GET' ? pauseAfter(thrown, tries) : undefined
    if (pause !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      return await patiently(method, signal, work, tries + 1)
    }
    if (thrown instanceof RequestError) throw thrown
    throw new RequestError({
      status: 0,
      detail: 'The service can not be reached.',
      suggestion: 'Look whether tend serve still runs and whether this machine reaches it.',
    })
  }
}

/** Undefined: another try would end the same way. */
function pauseAfter(thrown: unknown, tries: number): number | undefined {
  const pause = pauses[tries]
  if (pause === undefined || !(thrown instanceof RequestError)) return pause
  const { status, wait = 1 } = thrown.trouble
  return status === 429 ? Math.min(wait * 1000, longestWait) : undefined
}

async function troubleOf(response: Response): Promise<Trouble> {
  const { status } = response
  const text = await response.text()
  try {
    const said: Partial<Trouble> & { readonly error?: string } = JSON.parse(text)
    const detail = said.detail ?? said.error ?? `The service answered ${status}.`
    const wait = Number(response.headers.get('Retry-After'))
    return { ...said, status, detail, ...(wait > 0 ? { wait } : {}) }
  } catch {
    // not JSON: a proxy in between speaks for itself
    return { status, detail: text.slice(0, 300) || `The service answered ${status}.` }
  }
}

export function troubleIn(thrown: unknown): Trouble {
  if (thrown instanceof RequestError) return thrown.trouble
  return { status: 0, detail: thrown instanceof Error ? thrown.message : String(thrown) }
}
