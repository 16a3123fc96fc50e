/** Two runs compared: what each did to every resource, and what came out of it. */
import { api, type RunDetail } from '../../api/client.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { ChangeList } from '../../parts/change-list.tsx'
import { Icon } from '../../parts/icon.tsx'
import { OutcomeMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { useAsked } from '../../state/asked.ts'
import { appLink, runLink } from '../../state/links.ts'
import { lasted } from '../../state/relative-time.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { compareRuns, type Side } from './compare.ts'

export function CompareRuns({
  appKey,
  first,
  second,
}: {
  readonly appKey: string
  readonly first: number
  readonly second: number
}) {
  const asked = useAsked(
    (signal) => Promise.all([api.run(appKey, first, signal), api.run(appKey, second, signal)]),
    [appKey, first, second],
  )
  return (
    <AskedView asked={asked}>
      {([one, two]) => (
        <>
          <div class="bar">
            <a class="link" href={appLink(appKey, 'history')}>
              All runs
            </a>
            <Icon name="right" />
            <h2>
              Runs {first} and {second}
            </h2>
          </div>
          <div class="table-scroll panel" tabIndex={0} role="region" aria-label="Two runs compared">
            <table class="table compare stacked">
              <thead>
                <tr>
                  <th>Resource</th>
                  <th>
                    <a class="link" href={runLink(appKey, first)}>
                      Run {first}
                    </a>
                  </th>
                  <th>
                    <a class="link" href={runLink(appKey, second)}>
                      Run {second}
                    </a>
                  </th>
                </tr>
              </thead>
              <tbody>
                <tr>
                  <th scope="row">The run</th>
                  <RunCell number={first} detail={one} />
                  <RunCell number={second} detail={two} />
                </tr>
                {compareRuns(one.events, two.events).map((row) => (
                  <tr key={row.ref}>
                    <th scope="row">
                      <code>{row.ref}</code>
                    </th>
                    <SideCell number={first} side={row.first} />
                    <SideCell number={second} side={row.second} />
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </>
      )}
    </AskedView>
  )
}

/** Where cells stand below each other no head of a column says which run it is. */
function RunLabel({ number }: { readonly number: number }) {
  return <span class="narrow-label">Run {number}: </span>
}

function RunCell({
  number,
  detail: { run },
}: {
  readonly number: number
  readonly detail: RunDetail
}) {
  return (
    <td>
      <RunLabel number={number} />
      <OutcomeMark outcome={run.outcome} isGoingOn={false} /> {run.trigger},{' '}
      <Ago at={run.startedAt} />
      <p class="muted small">
        <code>{shortRevision(run.version)}</code>
        {run.endedAt !== undefined && ` took ${lasted(run.endedAt - run.startedAt)}`}
      </p>
    </td>
  )
}

function SideCell({ number, side }: { readonly number: number; readonly side: Side | undefined }) {
  if (side === undefined) {
    return (
      <td class="muted">
        <RunLabel number={number} />
        left alone
      </td>
    )
  }
  return (
    <td>
      <RunLabel number={number} />
      {side.step}, {side.end === 'passed' ? `took ${lasted(side.took)}` : side.end}
      {side.changes.length > 0 && <ChangeList changes={side.changes} />}
    </td>
  )
}
