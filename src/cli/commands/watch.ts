/** `tend watch`: stays, and repairs what drifts from what was applied, from the engine's events. */
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { keyOf } from '#model/application.ts'
import { problemOf } from '#model/problem.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { chosen } from '../chart/named.ts'
import type { CommandContext } from '../session.ts'
import { createEngines } from '../watch/engines.ts'
import { keepApp } from '../watch/keep-app.ts'

export async function watch(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const memory = await session.memory()
  const watched = new Map<string, Promise<void>>()
  await chosen(words, flags.namespace, memory.store)
  screen.note(`Watching ${words.length === 0 ? 'everything' : words.join(', ')}; Ctrl-C ends it.`)
  const engines = createEngines(flags, context)
  while (!signal.aborted) {
    for (const record of await chosen(words, flags.namespace, memory.store)) {
      const key = keyOf(record.application)
      if (watched.has(key)) continue
      // taken up again with the next round
      const ended = keepApp(record, engines, flags, context, memory)
        .catch((thrown: unknown) =>
          screen.note(`${record.application.name}: ${problemOf(thrown).message}`),
        )
        .finally(() => watched.delete(key))
      watched.set(key, ended)
    }
    await sleepOrStop(session.clock, flags.interval, signal)
  }
  await Promise.all(watched.values())
  await engines.ended()
  return 0
}
