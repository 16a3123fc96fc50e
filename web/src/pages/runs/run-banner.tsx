/** How far the run is that goes on, and at its end how it ended. */
import { Notice } from '../../parts/notice.tsx'
import { runLink } from '../../state/links.ts'
import type { LiveRun } from '../../state/live-run.ts'

const ends = {
  succeeded: 'succeeded',
  failed: 'failed',
  interrupted: 'was interrupted',
  refused: 'was refused',
} as const

export function RunBanner({ appKey, run }: { readonly appKey: string; readonly run: LiveRun }) {
  const { ended, number } = run
  const name = number === undefined ? 'A run' : `Run ${number}`
  if (ended === undefined) {
    const done = [...run.steps.values()].filter(({ isGoingOn }) => !isGoingOn).length
    return (
      <Notice tone="info" icon="sync">
        <span role="status">
          {name} goes on
          {run.total > 0 && `: ${done} of ${run.total}`}
        </span>
      </Notice>
    )
  }
  const hasFoundNothing = number === undefined && ended.outcome === 'succeeded'
  // what something newer ended, or a stop, has not failed
  const isLeft = ended.isRolledBack || ended.outcome === 'interrupted'
  const tone = ended.outcome === 'succeeded' ? 'good' : isLeft ? 'warn' : 'bad'
  return (
    <Notice tone={tone}>
      <span role="status">
        {hasFoundNothing
          ? 'Nothing was to be done: all of it is as declared.'
          : `${name} ${ends[ended.outcome]}${ended.isRolledBack ? ', rolled back' : ''}.`}
        {run.isConfirmed && ' Another one after it found nothing more to do.'}{' '}
      </span>
      {number !== undefined && (
        <a class="link" href={runLink(appKey, number)}>
          See it
        </a>
      )}
    </Notice>
  )
}
