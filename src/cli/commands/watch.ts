/** `tend watch`: stays running, and repairs what drifts from what was applied. It uses the loop of the service. */
import { join } from 'node:path'
import { keepRecorded, type Recorded } from '#controller/keep-recorded.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { bindFilesIn } from '#sources/bind-files.ts'
import type { Invocation } from '../arguments/invocation.ts'
import { engineIn } from '../application/engine.ts'
import { chosen } from '../chart/named.ts'
import type { CommandContext, Reached } from '../session.ts'
import { recordedKinds } from '../watch/recorded-kinds.ts'
import { createTeller } from '../watch/tell-events.ts'

export async function watch(
  { words, flags }: Invocation,
  context: CommandContext,
): Promise<number> {
  const { session, screen, signal } = context
  const memory = await session.memory()
  const reached = new Map<string, Reached>()
  async function records(): Promise<readonly Recorded[]> {
    const all = await chosen(words, flags.namespace, memory.store)
    return Promise.all(
      all.map(async (record) => {
        const { kind } = record.application
        const connection = await session.reach(flags, kind, engineIn(record.source))
        const target = connection.place?.address
        reached.set(`${kind} ${target ?? ''}`, connection)
        return { record, target }
      }),
    )
  }
  const first = await records()
  screen.note(`Watching ${words.length === 0 ? 'everything' : words.join(', ')}; Ctrl-C ends it.`)
  const teller = createTeller(context)
  const { clock, instance, holder, home } = session
  const { store, leases, key } = memory
  const kept = { store, leases, key, bindFiles: bindFilesIn(join(home, 'files')) }
  const kinds = await recordedKinds((kind, target = '') => reached.get(`${kind} ${target}`))
  const parts = { ...kept, ...teller, clock, instance, holder, kinds }
  const keeper = keepRecorded(parts, flags, (event) => teller.heard(event))
  keeper.follow(first)
  await keeper.start()
  try {
    while (!signal.aborted) {
      await sleepOrStop(session.clock, flags.interval, signal)
      if (!signal.aborted) keeper.follow(await records())
    }
  } finally {
    await keeper.stop()
  }
  return 0
}
