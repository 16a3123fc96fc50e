/** Prints how applications are. */
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { statusExitCode } from '../status-exit-code.ts'
import { byKind } from '../views/by-kind.ts'
import { statusDocument, statusLines, type Status } from '../views/status.ts'
import { statusOf } from './health.ts'
import { noneWords } from './installed.ts'
import { defined } from '#model/defined.ts'

/** Gives 0 when everything is healthy, else 1. With --exit-code the number says what is wrong. */
export async function tellStatus(
  records: readonly ApplicationRecord[],
  flags: Flags,
  context: CommandContext,
): Promise<number> {
  const { screen } = context
  const states = await statesOf(records, flags, context)
  if (screen.format !== 'table') {
    await screen.document(byKind(states, ({ kind }) => kind, statusDocument))
  } else {
    const store = (await context.session.memoryIfAny())?.store
    const lines = linesOf(states, context)
    screen.print(lines.length === 0 ? [await noneWords(flags.namespace, store)] : lines)
  }
  return exitOf(states, flags)
}

export async function tellOneStatus(
  record: ApplicationRecord,
  flags: Flags,
  context: CommandContext,
  warnings: readonly string[] = [],
): Promise<number> {
  const looked = await statesOf([record], flags, context)
  const states = looked.map((one) => ({ ...one, warnings }))
  if (context.screen.format === 'table') context.screen.print(linesOf(states, context))
  else await context.screen.document(statusDocument(defined(states[0])))
  return exitOf(states, flags)
}

async function statesOf(
  records: readonly ApplicationRecord[],
  flags: Flags,
  context: CommandContext,
): Promise<readonly Status[]> {
  if (records.length === 0) return []
  const memory = await context.session.memory()
  return Promise.all(records.map((record) => statusOf(record, flags, context, memory)))
}

function linesOf(
  states: readonly Status[],
  { session, screen }: CommandContext,
): readonly string[] {
  const now = session.clock.now()
  return states.flatMap((one, index) => [
    ...(index > 0 ? [''] : []),
    ...statusLines(one, now, screen.paint),
  ])
}

function exitOf(states: readonly Status[], { hasExitCode }: Flags): number {
  if (hasExitCode) return statusExitCode(states)
  return states.every(({ state }) => state === 'healthy') ? 0 : 1
}
