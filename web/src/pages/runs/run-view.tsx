/** One run: who asked for it, how it ended, its steps over time, and what it planned. */
import { api } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { OutcomeMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { useAsked } from '../../state/asked.ts'
import { appLink } from '../../state/links.ts'
import { now } from '../../state/now.ts'
import { lasted } from '../../state/relative-time.ts'
import { useReloadOn } from '../application/use-reload-on.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { PlanView } from '../plan/plan-view.tsx'
import { WaterfallView } from './waterfall-view.tsx'
import { waterfallOf } from './waterfall.ts'

export function RunView({
  appKey,
  number,
  round,
}: {
  readonly appKey: string
  readonly number: number
  readonly round: number
}) {
  const asked = useAsked((signal) => api.run(appKey, number, signal), [appKey, number])
  useReloadOn(asked.reload, round)
  return (
    <AskedView asked={asked}>
      {({ run, events }) => {
        const { trigger, by, version, startedAt, endedAt, outcome, isRolledBack } = run
        const planned = events.find((event) => event.type === 'planned')
        const problems = events.flatMap((event) =>
          event.type === 'problem' ? [event.problem] : [],
        )
        return (
          <>
            <div class="bar">
              <a class="link" href={appLink(appKey, 'history')}>
                All runs
              </a>
              <Icon name="right" />
              <h2>Run {number}</h2>
              <OutcomeMark outcome={outcome} isGoingOn={outcome === undefined} />
              {isRolledBack && <span class="pill tone-warn">Rolled back</span>}
              <span class="muted">
                {trigger}
                {by !== undefined && ` by ${by}`}, <code>{shortRevision(version)}</code>,{' '}
                <Ago at={startedAt} />
                {endedAt !== undefined && `, took ${lasted(endedAt - startedAt)}`}
              </span>
            </div>
            {problems.map((problem) => (
              <Notice key={problem.message} tone="bad">
                <p>{problem.message}</p>
                {problem.suggestion !== undefined && <p class="small">{problem.suggestion}</p>}
              </Notice>
            ))}
            <h3>Steps</h3>
            <WaterfallView waterfall={waterfallOf(events, now.value)} />
            {planned !== undefined && (
              <>
                <h3>What it planned</h3>
                <PlanView plan={planned.plan} />
              </>
            )}
          </>
        )
      }}
    </AskedView>
  )
}
