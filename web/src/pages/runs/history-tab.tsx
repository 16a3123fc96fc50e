/** Every run of an application; one opened shows its steps, two chosen are compared. */
import { useState } from 'preact/hooks'
import type { AppDetail, RunRow } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { AskedView, Empty } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { CommitText } from '../../parts/origin.tsx'
import { OutcomeMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { address, setQuery, withQuery } from '../../state/address.ts'
import { useAsked } from '../../state/asked.ts'
import { now } from '../../state/now.ts'
import { lasted } from '../../state/relative-time.ts'
import { mayChange } from '../../state/session.ts'
import { sayTrouble } from '../../state/toasts.ts'
import { useReloadOn } from '../application/use-reload-on.ts'
import { shortRevision } from '../overview/commit-line.tsx'
import { RollbackDialog } from '../plan/rollback-dialog.tsx'
import { CompareRuns } from './compare-runs.tsx'
import { joinedRuns } from './joined-runs.ts'
import { RunView } from './run-view.tsx'

/** A run without an end that began longer ago was killed. */
const longest = 3_600_000

type About = { readonly app: AppDetail; readonly round: number }

export function HistoryTab({ app, round }: About) {
  const { key: appKey } = app
  const { query } = address.value
  const open = numberIn(query['run'])
  const other = numberIn(query['with'])
  if (open !== undefined && other !== undefined)
    return <CompareRuns appKey={appKey} first={open} second={other} />
  if (open !== undefined) return <RunView appKey={appKey} number={open} round={round} />
  return <RunList app={app} round={round} />
}

function numberIn(text: string | undefined): number | undefined {
  return text !== undefined && /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
}

function RunList({ app: { key: appKey, actions }, round }: About) {
  const asked = useAsked((signal) => api.runs({ app: appKey, limit: 50 }, signal), [appKey])
  useReloadOn(asked.reload, round)
  const [older, setOlder] = useState<{
    readonly runs: readonly RunRow[]
    readonly next: string | undefined
  }>()
  const [chosen, setChosen] = useState<readonly number[]>([])
  const [back, setBack] = useState<number>()
  const choose = (number: number, isChosen: boolean) =>
    setChosen((old) =>
      isChosen ? [...old.slice(-1), number] : old.filter((one) => one !== number),
    )
  return (
    <AskedView asked={asked}>
      {(page) => {
        const runs = joinedRuns(page.runs, older?.runs)
        const next = older === undefined ? page.next : older.next
        const more = () =>
          api
            .runs({ app: appKey, limit: 50, cursor: next })
            .then((got) => setOlder({ runs: [...runs, ...got.runs], next: got.next }), sayTrouble)
        if (runs.length === 0) {
          return (
            <Empty icon="clock" title="No run yet">
              <p>A run stands here as soon as something was applied.</p>
            </Empty>
          )
        }
        const [first, second] = chosen.toSorted((a, b) => a - b)
        return (
          <>
            <div class="bar">
              <span class="muted">Choose two runs to compare them</span>
              <button
                type="button"
                class="button"
                disabled={second === undefined}
                onClick={() => setQuery({ run: String(first), with: String(second) })}
              >
                Compare {chosen.length === 2 && `${first} and ${second}`}
              </button>
            </div>
            <div class="table-scroll panel" tabIndex={0} role="region" aria-label="Runs">
              <table class="table stacked">
                <thead>
                  <tr>
                    <th>
                      <span class="hidden">Choose</span>
                    </th>
                    <th>Run</th>
                    <th>Outcome</th>
                    <th>Trigger</th>
                    <th>Commit</th>
                    <th>When</th>
                    <th>Took</th>
                    <th>
                      <span class="hidden">Roll back</span>
                    </th>
                  </tr>
                </thead>
                <tbody>
                  {runs.map((run) => (
                    <RunLine
                      key={run.number}
                      run={run}
                      isChosen={chosen.includes(run.number)}
                      choose={choose}
                      rollBack={actions.rollback === undefined ? undefined : setBack}
                    />
                  ))}
                </tbody>
              </table>
            </div>
            {next !== undefined && (
              <button type="button" class="button" onClick={() => void more()}>
                Older runs
              </button>
            )}
            {back !== undefined && (
              <RollbackDialog keys={[appKey]} run={back} close={() => setBack(undefined)} />
            )}
          </>
        )
      }}
    </AskedView>
  )
}

function RunLine({
  run,
  isChosen,
  choose,
  rollBack,
}: {
  readonly run: RunRow
  readonly isChosen: boolean
  readonly choose: (number: number, isChosen: boolean) => void
  /** Undefined: this kind of application never goes back. */
  readonly rollBack: ((number: number) => void) | undefined
}) {
  const { number, outcome, trigger, by, commit, version } = run
  const { startedAt, endedAt, isRolledBack, hasSnapshot } = run
  const isGoingOn = outcome === undefined && now.value - startedAt < longest
  return (
    <tr>
      <td>
        <input
          type="checkbox"
          class="select-box"
          aria-label={`Choose run ${number}`}
          checked={isChosen}
          onChange={({ currentTarget }) => choose(number, currentTarget.checked)}
        />
      </td>
      <td>
        <a class="link" href={withQuery(address.value, { run: String(number) })}>
          {number}
        </a>
      </td>
      <td>
        <OutcomeMark outcome={outcome} isGoingOn={isGoingOn} />
        {isRolledBack && <span class="pill tone-warn">Rolled back</span>}
      </td>
      <td>
        {trigger}
        {by !== undefined && <span class="muted small"> by {by}</span>}
      </td>
      <td class="cell-commit">
        {commit === undefined ? (
          <code class="muted">{shortRevision(version)}</code>
        ) : (
          <>
            <span class="truncate" title={commit.message}>
              {commit.message}
            </span>
            <span class="small">
              <CommitText commit={commit} />
            </span>
          </>
        )}
      </td>
      <td class="cell-time">
        <Ago at={startedAt} />
      </td>
      <td class="cell-time">{endedAt === undefined ? '–' : lasted(endedAt - startedAt)}</td>
      <td>
        {rollBack !== undefined && mayChange.value && outcome === 'succeeded' && hasSnapshot && (
          <button
            type="button"
            class="button"
            aria-label={`Roll back to run ${number}`}
            onClick={() => rollBack(number)}
          >
            <Icon name="back" />
            Roll back
          </button>
        )}
      </td>
    </tr>
  )
}
