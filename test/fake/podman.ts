/** Podman's API in memory, as strict as the real one where it bites: names, ports, what is in use, what can't be undone. */
import type { Ask, Podman, PodmanAnswer } from '#clients/podman/client.ts'
import { broken, refusal } from '#clients/podman/problem.ts'
import { ConnectionError } from '#clients/http/connection.ts'
import type { Json, JsonRecord } from '#model/json.ts'
import { containerCalls } from './podman-containers.ts'
import { otherCalls } from './podman-others.ts'
import { freshState, Refused, type Arrived, type PodmanState } from './podman-state.ts'

export type Fault = 'refuse' | 'cut-before' | 'cut-after' | 'hang' | 'die'

export type FakeCall = { readonly number: number; readonly method: string; readonly path: string }

export type FakePodman = Podman & {
  readonly state: PodmanState
  readonly calls: FakeCall[]
  /** What the call of this number (from 1) does instead of succeeding. */
  plan(fault: (call: FakeCall) => Fault | undefined): void
}

/** A process that is killed in the middle of a call never hears of its end. */
const never = new Promise<never>(() => undefined)

export function fakePodman(): FakePodman {
  const state = freshState()
  const calls: FakeCall[] = []
  let faultOf: (call: FakeCall) => Fault | undefined = () => undefined
  let isDead = false

  async function ask(method: string, path: string, asked: Ask): Promise<PodmanAnswer> {
    await new Promise((resolve) => setImmediate(resolve))
    if (isDead) return never
    const call = { number: calls.length + 1, method, path }
    calls.push(call)
    const fault = faultOf(call)
    const doing = asked.doing
    if (fault === 'refuse') throw refusal(doing, 500, '{"message":"a fault of the test"}')
    if (fault === 'cut-before') throw lost(doing)
    if (fault === 'die') {
      isDead = true
      return never
    }
    const said = answer(state, method, path, asked)
    if (fault === 'cut-after' || fault === 'hang') throw lost(doing)
    return said
  }

  return {
    address: 'unix:///fake.sock',
    isLocal: true,
    state,
    calls,
    plan: (fault) => {
      faultOf = fault
      isDead = false
    },
    close: () => undefined,
    ask,
    async stream(method, path, asked) {
      if (path === '/events') return silence(asked.signal)
      const { body } = await ask(method, path, asked)
      return once(body)
    },
  }
}

function lost(doing: string): Error {
  return broken(doing, 'unix:///fake.sock', new ConnectionError('ECONNRESET', 'reset', undefined))
}

function answer(state: PodmanState, method: string, path: string, asked: Ask): PodmanAnswer {
  const { body } = asked
  const isBytes = body instanceof Uint8Array
  const arrived: Arrived = {
    method,
    parts: path.split('/').slice(1).map(decodeURIComponent),
    query: asked.query ?? {},
    body: isBytes || !isPlain(body) ? {} : structuredClone(body),
    bytes: isBytes ? body : undefined,
  }
  try {
    const first = containerCalls(state, arrived)
    const said = first === undefined ? otherCalls(state, arrived) : first
    if (said === undefined) throw new TypeError(`the fake Podman has no ${method} ${path}`)
    return { status: 200, body: said }
  } catch (error) {
    if (!(error instanceof Refused)) throw error
    if ((asked.fine ?? []).includes(error.status)) return { status: error.status, body: null }
    const text = JSON.stringify({ cause: error.message, message: error.message })
    throw refusal(asked.doing, error.status, text)
  }
}

function isPlain(body: unknown): body is JsonRecord {
  return typeof body === 'object' && body !== null && !Array.isArray(body)
}

async function* once(body: Json): AsyncIterable<Uint8Array> {
  await Promise.resolve()
  yield new TextEncoder().encode(`${typeof body === 'string' ? body : JSON.stringify(body)}\n`)
}

// oxlint-disable-next-line require-yield
async function* silence(signal: AbortSignal): AsyncIterable<Uint8Array> {
  await new Promise((resolve) => signal.addEventListener('abort', resolve, { once: true }))
}
