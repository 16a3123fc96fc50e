/** Podman's events, as they happen. */
import { linesOf } from '#clients/http/json-lines.ts'
import { recordOf, textMapOf, textOf } from '#model/read-json.ts'
import type { Podman } from './client.ts'

export type PodmanEvent = {
  /** container, pod, network, volume, image, secret. */
  readonly type: string
  readonly action: string
  readonly id: string
  readonly name: string
  readonly attributes: Readonly<Record<string, string>>
}

/** Resolves when it is listening; the iterable ends when the service goes away. */
export async function listen(
  podman: Podman,
  signal: AbortSignal,
): Promise<AsyncIterable<PodmanEvent>> {
  const query = { stream: true }
  const doing = 'could not listen to events'
  const stream = await podman.stream('GET', '/events', { query, signal, doing, silence: 0 })
  return eventsOf(stream)
}

async function* eventsOf(stream: AsyncIterable<Uint8Array>): AsyncIterable<PodmanEvent> {
  for await (const line of linesOf(stream)) {
    const actor = recordOf(line['Actor'])
    const attributes = textMapOf(actor['Attributes'])
    yield {
      type: textOf(line['Type']),
      action: textOf(line['Action']),
      id: textOf(actor['ID']),
      name: attributes['name'] ?? '',
      attributes,
    }
  }
}
