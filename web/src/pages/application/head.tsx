/** The head of an application's page: both answers with why and since when, what is in force, and the buttons. */
import type { AppDetail } from '#model/api.ts'
import { CommitText } from '../../parts/origin.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import { Running } from '../../parts/running.tsx'
import { HealthMark, SyncMark } from '../../parts/state-mark.tsx'
import { Ago } from '../../parts/time.tsx'
import { appLink, overviewLink, runLink } from '../../state/links.ts'
import type { LiveRun } from '../../state/live-run.ts'
import { RunBanner } from '../runs/run-banner.tsx'
import { shortRevision } from '../overview/commit-line.tsx'
import { Flags } from '../overview/flags.tsx'
import { shortTarget } from '../overview/row.tsx'
import { ActionBar } from './action-bar.tsx'
import { beforeLink } from '../timeline/before-link.ts'
import { capital, sentence } from '../../parts/sentence.ts'
import { withoutColours } from '../../parts/without-colours.ts'

export function AppHead({
  app,
  run,
}: {
  readonly app: AppDetail
  readonly run: LiveRun | undefined
}) {
  const { key, application } = app
  const inForce = app.synced && (app.commit?.message ?? app.synced.message)
  return (
    <header class="app-head">
      <div class="crumbs">
        <a href="/">Applications</a>
        <Icon name="right" />
        <a href={overviewLink({ kind: application.kind })}>{application.kind}</a>
      </div>
      <div class="page-head">
        <h1>
          {application.namespace !== null && <span class="muted">{application.namespace}/</span>}
          {application.name}
        </h1>
        <Flags app={app} />
        <span class="space" />
        <ActionBar app={app} />
      </div>
      <dl class="facts panel">
        <div>
          <dt>Health</dt>
          <dd>
            <HealthMark state={app.health.state} />
            <span class="muted small">
              <Ago at={app.health.since} />
            </span>
          </dd>
        </div>
        <div>
          <dt>Sync</dt>
          <dd>
            <SyncMark state={app.sync.state} isBehind={app.sync.isBehind} />
            <span class="muted small">
              <Ago at={app.sync.since} />
            </span>
          </dd>
        </div>
        <div class="wide">
          <dt>In force</dt>
          <dd>
            <span class="truncate" title={inForce}>
              {inForce ?? 'Nothing yet'}
            </span>
            {app.commit === undefined || app.synced === undefined ? (
              <code class="muted small">{shortRevision(app.synced?.revision ?? '')}</code>
            ) : (
              <span class="small">
                <CommitText commit={app.commit} />
              </span>
            )}
          </dd>
        </div>
        <div>
          <dt>Running</dt>
          <dd>
            <Running containers={app.containers} />
          </dd>
        </div>
        <div>
          <dt>Target</dt>
          <dd>
            <a class="truncate" href={overviewLink({ target: app.target })} title={app.target}>
              {shortTarget(app.target)}
            </a>
          </dd>
        </div>
        <div class="wide">
          <dt>Source</dt>
          <dd>
            <span class="truncate" title={app.source.shown}>
              {app.source.shown}
            </span>
            <span class="muted small truncate">
              {[app.source.ref, app.source.path].filter((text) => text !== '').join(' · ')}
            </span>
          </dd>
        </div>
        {app.dependsOn.length > 0 && (
          <div>
            <dt>Waits for</dt>
            <dd>
              {app.dependsOn.map((other) => (
                <a key={other} class="link" href={appLink(other)}>
                  {other}
                </a>
              ))}
            </dd>
          </div>
        )}
      </dl>
      <Labels labels={app.labels} />
      <Whys app={app} />
      {run !== undefined && <RunBanner appKey={key} run={run} />}
    </header>
  )
}

function Labels({ labels }: { readonly labels: AppDetail['labels'] }) {
  const all = Object.entries(labels)
  if (all.length === 0) return null
  return (
    <p class="labels">
      {all.map(([name, value]) => (
        <a key={name} class="pill" href={overviewLink({ label: `${name}=${value}` })}>
          {name}={value}
        </a>
      ))}
    </p>
  )
}

/** What is wrong, in sentences, each with what to look at next. */
function Whys({ app }: { readonly app: AppDetail }) {
  const { key, health, sync, heldBy, lastRun, nextTry } = app
  const isWell = health.state === 'healthy'
  const isBad = health.state === 'failed' || health.state === 'degraded'
  /** What keeps it from being well is what keeps it from being as declared. */
  const isSaid =
    !isWell && sync.state !== 'synced' && sync.reason !== '' && health.reason.endsWith(sync.reason)
  // of one that is left alone on purpose there is nothing more to say
  if (app.isSuspended && app.synced === undefined && lastRun === undefined) {
    return (
      <Notice tone="info" icon="pause">
        <p>It was never synced, and is suspended: nothing is done until it is resumed.</p>
        <p class="small notice-links">
          <a class="link" href={appLink(key, 'plan')}>
            What would a sync do?
          </a>
        </p>
      </Notice>
    )
  }
  if (app.isUndeclared === true && sync.state === 'missing') {
    return (
      <Notice tone="warn" icon="missing">
        <p>{capital(sync.reason)}.</p>
        <p class="small">
          <em>Forget</em> takes it off the lists, and changes nothing that runs.
        </p>
      </Notice>
    )
  }
  const { refused } = app
  const problem = lastRun?.outcome === 'succeeded' ? undefined : lastRun?.problem
  const isProblemShown = problem !== undefined && !health.reason.includes(problem.message)
  /** The run that failed says the same, with what to do about it. */
  const isSaidByRun =
    isProblemShown &&
    ((app.state === 'failed' && sync.isBehind === true) || sync.reason.includes(problem.message))
  return (
    <>
      {!isWell && health.reason !== '' && (
        <Notice
          tone={health.state === 'failed' ? 'bad' : health.state === 'degraded' ? 'warn' : 'info'}
        >
          <p>{sentence(health.reason)}</p>
          {health.details !== undefined && health.details.length > 0 && (
            <pre class="last-lines" tabIndex={0} aria-label="Last lines">
              {withoutColours(health.details.join('\n'))}
            </pre>
          )}
          <p class="small notice-links">
            {isBad && (
              <a class="link" href={beforeLink(key, health.since)}>
                What changed before this?
              </a>
            )}
            {app.hasLogs && (
              <a class="link" href={appLink(key, 'logs')}>
                Logs
              </a>
            )}
            {isSaid && (
              <a class="link" href={appLink(key, 'plan')}>
                What would a sync do?
              </a>
            )}
          </p>
        </Notice>
      )}
      {sync.state !== 'synced' && sync.reason !== '' && !isSaid && !isSaidByRun && (
        <Notice
          tone={sync.state === 'syncing' ? 'info' : 'warn'}
          icon={sync.state === 'syncing' ? 'sync' : sync.isBehind === true ? 'up' : 'drift'}
        >
          <p>{sentence(sync.reason)}</p>
          <p class="small notice-links">
            <a class="link" href={appLink(key, 'plan')}>
              What would a sync do?
            </a>
          </p>
        </Notice>
      )}
      {isProblemShown && (
        <Notice tone="bad">
          <p>{sentence(problem.message)}</p>
          {problem.at !== undefined && (
            <p class="mono small">
              {problem.at.file}:{problem.at.line}
            </p>
          )}
          {problem.suggestion !== undefined && <p class="small">{problem.suggestion}</p>}
          <p class="small notice-links">
            {lastRun?.number !== undefined && (
              <a class="link" href={runLink(key, lastRun.number)}>
                Run {lastRun.number}
              </a>
            )}
            {isSaidByRun && sync.state !== 'synced' && (
              <a class="link" href={appLink(key, 'plan')}>
                What would a sync do?
              </a>
            )}
            {nextTry !== undefined && (
              <span>
                Next try <Ago at={nextTry} />
              </span>
            )}
          </p>
        </Notice>
      )}
      {refused !== undefined && (
        <Notice tone="bad">
          <p>
            The newest commit of its source, <code>{shortRevision(refused.revision)}</code>, is not
            applied. What was applied before stays.
          </p>
          <p>{sentence(refused.problem.message)}</p>
          {refused.problem.suggestion !== undefined && (
            <p class="small">{sentence(refused.problem.suggestion)}</p>
          )}
          <p class="small notice-links">
            <span>
              Refused since <Ago at={refused.since} />
            </span>
            <a class="link" href="/sources">
              Sources
            </a>
          </p>
        </Notice>
      )}
      {heldBy !== undefined && (
        <Notice tone="info" icon="lock">
          <p>{sentence(heldBy.reason)}</p>
          <p class="small">What lets it go on: {heldBy.release}.</p>
        </Notice>
      )}
    </>
  )
}
