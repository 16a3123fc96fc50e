/** The engine's events, as they happen. */
import { filters } from '#clients/containers/calls.ts'
import { linesOf } from '#clients/http/json-lines.ts'
import { numberOf, recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Docker } from './client.ts'

export type EngineEvent = {
  /** container, network, volume, image. */
  readonly type: string
  /** start, die, destroy, health_status, … */
  readonly action: string
  /** What some actions add: `healthy` to health_status. Podman 4 adds nothing, so one has to look. */
  readonly detail: string
  readonly id: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
  /** When it happened, in seconds. */
  readonly at: number
}

/** Resolves when it is listening; the iterable ends when the engine goes away. `filter`: { label: ['a=b'], type: ['container'] }. */
export async function listen(
  docker: Docker,
  filter: Readonly<Record<string, readonly string[]>>,
  signal: AbortSignal,
): Promise<AsyncIterable<EngineEvent>> {
  const query = { filters: Object.keys(filter).length === 0 ? undefined : filters(filter) }
  const doing = 'could not listen to events'
  const stream = await docker.stream('GET', '/events', { query, signal, doing, silence: 0 })
  return eventsOf(stream.body)
}

async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<EngineEvent> {
  for await (const line of linesOf(stream)) yield eventOf(line)
}

/** The words that Podman has for what Docker calls otherwise. */
const ofPodman: Readonly<Record<string, string>> = {
  'container remove': 'destroy',
  'container exec_died': 'exec_die',
  'volume remove': 'destroy',
  'network remove': 'destroy',
}

/** Splits texts such as "health_status: healthy" and "exec_start: sh -c …". */
export function eventOf(line: JsonRecord): EngineEvent {
  const actor = recordOf(line['Actor'])
  const attributes = textMapOf(actor['Attributes'])
  const type = textOf(line['Type'])
  const [action = '', ...rest] = textOf(line['Action']).split(':')
  return {
    type,
    action: ofPodman[`${type} ${action}`] ?? action,
    detail: rest.join(':').trim(),
    id: textOf(actor['ID']),
    name: attributes['name'] ?? '',
    attributes,
    at: numberOf(line['time']),
  }
}
