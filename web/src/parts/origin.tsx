/** Where a field is declared: file, line, and the commit that changed it last. */
import type { CommitFacts, FieldOrigin } from '#model/api.ts'
import { shortRevision } from '../pages/overview/commit-line.tsx'
import { Icon } from './icon.tsx'
import { Ago } from './time.tsx'

export function Origin({ origin }: { readonly origin: FieldOrigin | undefined }) {
  if (origin === undefined) return null
  return (
    <span class="origin small">
      <code title="Where it is declared">
        {origin.file}:{origin.line}
      </code>
      {origin.commit !== undefined && <CommitText commit={origin.commit} />}
    </span>
  )
}

export function CommitText({ commit }: { readonly commit: CommitFacts }) {
  return (
    <span class="commit-text muted" title={commit.message}>
      <Icon name="commit" />
      <code>{shortRevision(commit.revision)}</code> {commit.author} <Ago at={commit.at} />
      {commit.isSigned === true && ' · signed'}
    </span>
  )
}
