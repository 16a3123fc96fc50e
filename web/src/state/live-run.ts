/** A run as it goes on: where each resource is in it. */
import type { Event } from '#model/event.ts'
import type { Ref } from '#model/ref.ts'
import type { AppStatus } from '#model/service.ts'
import type { Tone } from './tones.ts'

export type LiveStep = {
  readonly tone: Tone
  readonly words: string
  readonly isGoingOn: boolean
}

export type LiveRun = {
  readonly number: number | undefined
  readonly startedAt: number
  readonly steps: ReadonlyMap<Ref, LiveStep>
  /** Of all groups of the plan, how many are done. */
  readonly total: number
  readonly ended: Extract<Event, { readonly type: 'ended' }> | undefined
  /** The last one with a number, while this one has none: it may find nothing to do, and then that one is still what is worth saying. */
  readonly before: LiveRun | undefined
  /** One after it found nothing to do. */
  readonly isConfirmed: boolean
}

const began = {
  create: 'Creating',
  update: 'Updating',
  replace: 'Replacing',
  delete: 'Deleting',
} as const
const done = {
  create: 'Created',
  update: 'Updated',
  replace: 'Replaced',
  delete: 'Deleted',
} as const

export function nextRun(run: LiveRun | undefined, event: Event): LiveRun | undefined {
  if (event.type === 'started') {
    return event.isDryRun ? run : begun(run, event.at)
  }
  const isOver = run === undefined || run.ended !== undefined
  // whose beginning was not seen: the page was opened while it went on
  if (isOver) return event.type === 'ended' ? run : nextRun(begun(run, event.at), event)
  switch (event.type) {
    case 'opened':
      return { ...run, number: event.run, before: undefined }
    case 'planned':
      return { ...run, total: event.plan.groups.length }
    case 'group':
      return { ...run, steps: new Map([...run.steps, [event.ref, stepOf(event)]]) }
    case 'operation':
    case 'progress': {
      const words = event.type === 'progress' ? event.text : event.words
      if (event.type === 'operation' && event.phase !== 'began' && event.phase !== 'again')
        return run
      const tone: Tone = event.type === 'operation' && event.part === 'undo' ? 'warn' : 'info'
      return {
        ...run,
        steps: new Map([...run.steps, [event.ref, { tone, words, isGoingOn: true }]]),
      }
    }
    case 'ended': {
      const hasFoundNothing = run.number === undefined && event.outcome === 'succeeded'
      if (hasFoundNothing && run.before !== undefined) return { ...run.before, isConfirmed: true }
      return { ...run, ended: event }
    }
    case 'held':
    case 'warning':
    case 'rendered':
    case 'problem':
      return run
  }
}

/** An end that was not heard (the connection broke) shows in how the application stands now. */
export function endedBy(
  run: LiveRun | undefined,
  { sync, lastRun }: Pick<AppStatus, 'sync' | 'lastRun'>,
): LiveRun | undefined {
  if (run === undefined || run.ended !== undefined || lastRun === undefined) return run
  if (sync.state === 'syncing' || lastRun.at < run.startedAt) return run
  const { outcome, isRolledBack, summary, at, number } = lastRun
  const milliseconds = at - run.startedAt
  const ended = { type: 'ended', at, outcome, isRolledBack, summary, milliseconds } as const
  return nextRun({ ...run, number: number ?? run.number }, ended)
}

function begun(last: LiveRun | undefined, startedAt: number): LiveRun {
  const before = last?.number === undefined ? last?.before : last
  return {
    number: undefined,
    startedAt,
    steps: new Map(),
    total: 0,
    ended: undefined,
    before,
    isConfirmed: false,
  }
}

function stepOf({ phase, step, problem }: Extract<Event, { readonly type: 'group' }>): LiveStep {
  switch (phase) {
    case 'began':
      return { tone: 'info', words: began[step], isGoingOn: true }
    case 'waiting':
      return { tone: 'info', words: 'Waiting for health', isGoingOn: true }
    case 'passed':
    case 'done':
      return { tone: 'good', words: done[step], isGoingOn: false }
    case 'failed':
      return { tone: 'bad', words: problem?.message ?? 'Failed', isGoingOn: false }
    case 'skipped':
      return { tone: 'quiet', words: 'Skipped', isGoingOn: false }
    case 'undone':
      return { tone: 'warn', words: 'Rolled back', isGoingOn: false }
  }
}
