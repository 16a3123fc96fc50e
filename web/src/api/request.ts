/** One request to the service: JSON in, JSON out, and what went wrong as one kind of error. */
import { signal } from '@preact/signals'

/** What a problem document says. */
export type Trouble = {
  readonly status: number
  readonly detail: string
  readonly code?: string
  readonly suggestion?: string
  readonly at?: { readonly file: string; readonly line: number; readonly column?: number }
}

export class RequestError extends Error {
  readonly trouble: Trouble

  constructor(trouble: Trouble) {
    super(trouble.detail)
    this.trouble = trouble
  }
}

/** How long is waited before what only reads is asked again, ms. */
const pauses = [300, 700, 1500] as const

/** The service does not know this browser (any more): the page shows its login. */
export const isLoginNeeded = signal(false)

export function get<Answer>(path: string, signal?: AbortSignal): Promise<Answer> {
  return ask<Answer>('GET', path, undefined, signal)
}

export async function ask<Answer>(
  method: 'GET' | 'POST' | 'PUT' | 'DELETE',
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Answer> {
  const response = await send(method, path, body, signal)
  if (response.status === 204) {
    const nothing: Answer = JSON.parse('null')
    return nothing
  }
  const answer: Answer = await response.json()
  return answer
}

/** The answer as it comes: for streams. */
export async function send(
  method: string,
  path: string,
  body?: unknown,
  signal?: AbortSignal,
): Promise<Response> {
  const response = await fetchPatiently(path, {
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

/** When a machine changes its network the browser drops what is under way: what only reads is asked again. */
async function fetchPatiently(path: string, options: RequestInit, tries = 0): Promise<Response> {
  try {
    return await fetch(path, options)
  } catch (thrown) {
    if (options.signal?.aborted === true) throw thrown
    const pause = pauses[tries]
    if (options.method === 'GET' && pause !== undefined) {
      await new Promise((resolve) => setTimeout(resolve, pause))
      return await fetchPatiently(path, options, tries + 1)
    }
    throw new RequestError({
      status: 0,
      detail: 'The service can not be reached.',
      suggestion: 'Look whether tend serve still runs and whether this machine reaches it.',
    })
  }
}

async function troubleOf(response: Response): Promise<Trouble> {
  const { status } = response
  const text = await response.text()
  try {
    const said: Partial<Trouble> & { readonly error?: string } = JSON.parse(text)
    const detail = said.detail ?? said.error ?? `The service answered ${status}.`
    return { ...said, status, detail }
  } catch {
    // not JSON: a proxy in between speaks for itself
    return { status, detail: text.slice(0, 300) || `The service answered ${status}.` }
  }
}

export function troubleIn(thrown: unknown): Trouble {
  if (thrown instanceof RequestError) return thrown.trouble
  return { status: 0, detail: thrown instanceof Error ? thrown.message : String(thrown) }
}
