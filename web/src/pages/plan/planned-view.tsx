/** The plan of one application, or why there is none; and when it is not of what its source has now. */
import { Notice } from '../../parts/notice.tsx'
import { sentence } from '../../parts/sentence.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { PlanView } from './plan-view.tsx'
import type { PlannedApp } from './planned.ts'

export function PlannedView({
  app: { revision, plan, problem, unread, origins },
}: {
  readonly app: PlannedApp
}) {
  return (
    <>
      {problem !== undefined && (
        <Notice tone="bad">
          <p>{sentence(problem.message)}</p>
          {problem.suggestion !== undefined && <p class="small">{sentence(problem.suggestion)}</p>}
        </Notice>
      )}
      {plan !== undefined && unread !== undefined && (
        <Notice tone="warn">
          <p>
            This is the plan of <code>{shortRevision(revision)}</code>, which was read last: what
            its source has now can not be had.
          </p>
          <p class="small">{sentence(unread.message)}</p>
        </Notice>
      )}
      {plan !== undefined && <PlanView plan={plan} origins={origins} />}
    </>
  )
}
