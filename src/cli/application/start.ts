/** Starts a run and shows it: what all verbs that change something end with. */
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Flags } from '../arguments/invocation.ts'
import type { Desk, Memory } from '../session.ts'
import { showRun } from '../show-run.ts'
import { runDocument } from '../views/document.ts'
import { localTime, type Manner } from '../views/manner.ts'
import type { Story } from '../views/story.ts'
import { livingRuns } from './past.ts'

export type Heading = Pick<Manner, 'doing' | 'subject'> &
  Partial<Pick<Manner, 'explains' | 'apply'>>

export async function startRun(
  request: Request,
  heading: Heading,
  flags: Flags,
  desk: Desk,
  memory: Memory,
): Promise<Story> {
  const story = await followRun(request, heading, flags, desk, memory)
  await tellDocument(story, desk)
  return story
}

/** A document is one whole: it can be told only when all is over. */
export async function tellDocument(story: Story, { screen }: Desk): Promise<void> {
  if (screen.format !== 'table') await screen.document(runDocument(story))
}

/** Without the document: for verbs that start several. */
export async function followRun(
  request: Request,
  heading: Heading,
  flags: Flags,
  desk: Desk,
  memory: Memory,
): Promise<Story> {
  const { kind, target } = await desk.session.runtime(flags, request.application.kind)
  const { store, leases } = memory
  const before = request.isDryRun
    ? undefined
    : (await livingRuns(request.application, store)).find(({ outcome }) => outcome === 'succeeded')
  const events = reconcile(
    request,
    { kind, target, clock: desk.session.clock, store, leases },
    desk.signal,
  )
  return showRun(events, mannerOf(heading, flags, desk, before?.number), desk.screen)
}

export function mannerOf(
  heading: Heading,
  flags: Flags,
  { screen }: Desk,
  before: number | undefined,
): Manner {
  return {
    explains: false,
    apply: 'Run without --dry-run to apply changes',
    ...heading,
    isVerbose: flags.isVerbose,
    paint: screen.paint,
    before,
    time: localTime,
  }
}
