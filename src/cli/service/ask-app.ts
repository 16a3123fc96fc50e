/** Asks a running service for something about one application. */
import type { ServiceClient } from '#clients/service/client.ts'
import type { Allowed, AppStatus, SyncAnswer } from '#model/service.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Flags, Invocation } from '../arguments/invocation.ts'
import type { CommandContext } from '../session.ts'
import { stateText } from '../views/apps.ts'
import { harmless } from '../views/paint.ts'
import { findService, noService, withService } from './find.ts'
import { sentenceOf } from '#controller/decide/backoff.ts'
import { nameWith, whichApp } from './which-app.ts'

export async function askApp(
  { words, flags }: Invocation,
  context: CommandContext,
  doing: string,
  work: (service: ServiceClient, app: AppStatus) => Promise<number>,
): Promise<number> {
  const address = findService(flags, context.session)
  if (address === undefined) throw noService(doing)
  const name = nameWith(flags.namespace, words[0] ?? '')
  return withService(address, async (service) =>
    work(service, whichApp(name, await service.apps(context.signal))),
  )
}

export function allowedBy({ allowEmpty, allowMassDelete, stack }: Flags): Allowed {
  return { empty: allowEmpty, massDelete: allowMassDelete, adopts: stack.adopts }
}

/** Prints that a run was asked for, or how it ended. */
export async function tellAnswer(
  { status, outcome, unread }: SyncAnswer,
  waits: boolean,
  { screen }: CommandContext,
): Promise<number> {
  const didWell = outcome === undefined ? status.state !== 'failed' : outcome === 'succeeded'
  const isWell = !waits || didWell
  const exit = isWell && unread === undefined ? 0 : 1
  if (screen.format !== 'table') {
    const news = unread === undefined ? {} : { unread: unread.message }
    await screen.document({ ...plainly(status), outcome: outcome ?? null, ...news })
    return exit
  }
  if (!waits) {
    screen.print([
      `${status.key}: asked for; tend get app ${status.application.name} tells how it goes`,
    ])
    return 0
  }
  const changes = outcome === undefined ? 'nothing to do' : changesOf(status)
  const { lastRun, reason } = status
  const why = isWell || lastRun?.problem === undefined ? undefined : sentenceOf(lastRun.problem)
  const ended = `the run ${outcome ?? ''}${lastRun?.isRolledBack === true ? ', went back to what was in force' : ''}`
  const how = isWell ? changes : outcome === undefined ? 'nothing was done' : `but ${ended}`
  const behind =
    unread && `its source could not be asked, what was read before counts: ${sentenceOf(unread)}`
  screen.print([
    `${status.key}: ${stateText(status.state, screen.paint)}, ${how}`,
    ...[...new Set([why, reason, behind])].flatMap((text) => (text ? [`  ${harmless(text)}`] : [])),
  ])
  return exit
}

export async function tellStatus(status: AppStatus, { screen }: CommandContext): Promise<void> {
  if (screen.format !== 'table') return screen.document(plainly(status))
  const isLater = status.isSuspended && status.state !== 'suspended'
  const later = isLater ? ', and suspended when what goes on has ended' : ''
  screen.print([`${status.key}: ${stateText(status.state, screen.paint)}${later}`])
}

function changesOf({ lastRun }: AppStatus): string {
  if (lastRun === undefined) return 'done'
  const { created, updated, deleted, unchanged } = lastRun.summary
  return `${created} created, ${updated} updated, ${deleted} deleted, ${unchanged} unchanged`
}

function plainly(status: AppStatus): JsonRecord {
  const json: JsonRecord = JSON.parse(JSON.stringify(status))
  return json
}
