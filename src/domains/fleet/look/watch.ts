/** A fleet has no events: the providers of clusters send none. */
import type { Ref } from '#model/ref.ts'

/** Says once that it is listening, and then nothing: the engine looks again after the time that a look asks for. */
export async function* watch(_owner: string, signal: AbortSignal): AsyncIterable<Ref> {
  yield ''
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
