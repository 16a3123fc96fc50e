/** What is in force: the commit's message, and below it revision, author and age. */
import type { AppRow } from '#model/api.ts'
import { Ago } from '../../parts/time.tsx'

export function CommitLine({ app }: { readonly app: AppRow }) {
  const { commit, synced, desired, lastRun } = app
  // what failed before anything went well was tried all the same
  if (synced === undefined && lastRun === undefined) return <NothingYet desired={desired} />
  const revision = commit?.revision ?? synced?.revision ?? desired?.revision ?? ''
  const message = commit?.message ?? firstLine(synced?.message ?? desired?.message ?? '')
  const at = commit?.at ?? synced?.at
  return (
    <div class="commit-line">
      <span class="truncate" title={message}>
        {message || '–'}
      </span>
      <span class="muted small truncate">
        <code>{shortRevision(revision)}</code>
        {commit !== undefined && ` ${commit.author}`}
        {at !== undefined && (
          <>
            {' '}
            <Ago at={at} />
          </>
        )}
      </span>
    </div>
  )
}

/** Its source may have a commit for it, but none of them ever was in force here. */
function NothingYet({ desired }: Pick<AppRow, 'desired'>) {
  const waits = desired === undefined ? '' : firstLine(desired.message)
  return (
    <div class="commit-line">
      <span class="muted">Nothing applied yet</span>
      {desired !== undefined && (
        <span class="muted small truncate" title={waits}>
          <code>{shortRevision(desired.revision)}</code> would be: {waits}
        </span>
      )}
    </div>
  )
}

export function shortRevision(revision: string): string {
  return /^[0-9a-f]{12,}$/.test(revision) ? revision.slice(0, 8) : revision.slice(0, 24)
}

function firstLine(text: string): string {
  return text.split('\n', 1)[0] ?? ''
}
