/** Where applications come from: what was read last, whose commit it is, and what went wrong. */
import { useEffect } from 'preact/hooks'
import type { SourceRow } from '#model/api.ts'
import { api } from '../api/client.ts'
import { AskedView, Empty } from '../parts/asked-view.tsx'
import { Icon } from '../parts/icon.tsx'
import { sentence } from '../parts/sentence.ts'
import { Ago } from '../parts/time.tsx'
import { useAsked } from '../state/asked.ts'
import { useLive } from '../state/live-asked.ts'
import { overviewLink } from '../state/links.ts'
import { mayChange } from '../state/session.ts'
import { say, sayTrouble } from '../state/toasts.ts'
import { shortRevision } from './overview/commit-line.tsx'

const states = {
  queued: ['info', 'clock', 'Queued'],
  refreshing: ['info', 'spinner', 'Asking'],
  completed: ['good', 'check', 'Read'],
  failed: ['bad', 'fail', 'Failed'],
} as const

export function SourcesPage() {
  const asked = useAsked((signal) => api.sources(signal), [])
  useLive(asked.reload, ['source'])
  useEffect(() => {
    document.title = 'Sources · Tend'
  }, [])
  return (
    <>
      <div class="page-head">
        <h1>Sources</h1>
        <span class="space" />
        {mayChange.value && (
          <button
            type="button"
            class="button"
            onClick={() =>
              void api.refreshAll().then(() => say('good', 'All sources are asked'), sayTrouble)
            }
          >
            <Icon name="sync" />
            Refresh all
          </button>
        )}
      </div>
      <AskedView asked={asked}>
        {(sources) =>
          sources.length === 0 ? (
            <Empty icon="source" title="No source is declared">
              <p>A source is a Git repository or a folder that applications are declared in.</p>
              <a class="link" href="/">
                Declare an application
              </a>
            </Empty>
          ) : (
            <ul class="source-list">
              {sources.map((source) => (
                <Source key={source.id} source={source} />
              ))}
            </ul>
          )
        }
      </AskedView>
    </>
  )
}

function Source({ source }: { readonly source: SourceRow }) {
  const {
    id,
    shown,
    ref,
    revision,
    message,
    commit,
    refType,
    at,
    state,
    problem,
    rewritten,
    refused,
    apps,
  } = source
  const [tone, icon, word] = states[state]
  const isGit = refType === 'branch' || refType === 'tag' || refType === 'commit'
  return (
    <li class="panel source">
      <div class="source-head">
        <span class={`pill tone-${tone}`}>
          <Icon name={icon} spins={state === 'refreshing'} />
          {word}
        </span>
        <strong class="truncate" title={shown}>
          {shown}
        </strong>
        <span class="muted small">
          {refType} {ref}
        </span>
        <span class="space" />
        <a class="link small" href={overviewLink({ source: shown })}>
          {apps} {apps === 1 ? 'application' : 'applications'}
        </a>
        {mayChange.value && (
          <button
            type="button"
            class="button"
            aria-label={`Refresh ${shown}`}
            onClick={() => void api.refreshSource(id).catch(sayTrouble)}
          >
            <Icon name="sync" />
            Refresh
          </button>
        )}
      </div>
      <dl class="pairs">
        <dt>{isGit ? 'Commit' : 'Content'}</dt>
        <dd>
          <span>{commit?.message ?? message}</span>
          <span class="muted small">
            <code>{shortRevision(revision)}</code>
            {commit !== undefined && (
              <>
                {' '}
                {commit.author}, <Ago at={commit.at} />
              </>
            )}
          </span>
        </dd>
        {isGit && (
          <>
            <dt>Signature</dt>
            <dd>
              {commit?.isSigned === undefined ? 'not checked' : commit.isSigned ? 'good' : 'none'}
            </dd>
          </>
        )}
        <dt>Last asked</dt>
        <dd>{at === 0 ? 'never' : <Ago at={at} />}</dd>
        {rewritten !== undefined && (
          <>
            <dt>Rewritten</dt>
            <dd class="tone-warn">
              somebody pushed with force over <code>{shortRevision(rewritten.from)}</code>,{' '}
              <Ago at={rewritten.at} />
            </dd>
          </>
        )}
        {refused !== undefined && (
          <>
            <dt>Newest not applied</dt>
            <dd class="tone-bad">
              <span>
                <code>{shortRevision(refused.revision)}</code> is refused since{' '}
                <Ago at={refused.since} />
              </span>
              {refused.problem.message !== problem?.message && (
                <span>{sentence(refused.problem.message)}</span>
              )}
            </dd>
          </>
        )}
        {problem !== undefined && (
          <>
            <dt>Problem</dt>
            <dd>
              <span class="tone-bad">{sentence(problem.message)}</span>
              {problem.suggestion !== undefined && (
                <span class="small">{sentence(problem.suggestion)}</span>
              )}
            </dd>
          </>
        )}
      </dl>
    </li>
  )
}
