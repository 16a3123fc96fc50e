/** Prints how applications are. */
import type { ApplicationRecord } from '#model/store.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk } from '../session.ts'
import { statusDocument, statusLines, type Status } from '../views/status.ts'
import { statusOf } from './health.ts'
import { noneWords } from './installed.ts'

/** 0 when everything is healthy, else 1: scripts ask for little more. */
export async function tellStatus(
  records: readonly ApplicationRecord[],
  flags: Flags,
  desk: Desk,
): Promise<number> {
  const { screen } = desk
  const states = await statesOf(records, flags, desk)
  if (screen.format !== 'table') {
    const charts = states.filter(({ kind }) => kind === 'chart').map(statusDocument)
    const stacks = states.filter(({ kind }) => kind === 'stack').map(statusDocument)
    await screen.document({ charts, stacks })
  } else {
    const store = (await desk.session.memoryIfAny())?.store
    const lines = linesOf(states, desk)
    screen.print(lines.length === 0 ? [await noneWords(flags.namespace, store)] : lines)
  }
  return exitOf(states)
}

export async function tellOneStatus(
  record: ApplicationRecord,
  flags: Flags,
  desk: Desk,
): Promise<number> {
  const states = await statesOf([record], flags, desk)
  if (desk.screen.format === 'table') desk.screen.print(linesOf(states, desk))
  else await desk.screen.document(statusDocument(states[0]!))
  return exitOf(states)
}

async function statesOf(
  records: readonly ApplicationRecord[],
  flags: Flags,
  desk: Desk,
): Promise<readonly Status[]> {
  if (records.length === 0) return []
  const memory = await desk.session.memory()
  return Promise.all(records.map((record) => statusOf(record, flags, desk, memory)))
}

function linesOf(states: readonly Status[], { session, screen }: Desk): readonly string[] {
  const now = session.clock.now()
  return states.flatMap((one, index) => [
    ...(index > 0 ? [''] : []),
    ...statusLines(one, now, screen.paint),
  ])
}

function exitOf(states: readonly Status[]): number {
  return states.every(({ state }) => state === 'healthy') ? 0 : 1
}
