/** What happened, newest first. */
import type { TimelineEntry } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { CommitText } from '../../parts/origin.tsx'
import { sentence } from '../../parts/sentence.ts'
import { Ago } from '../../parts/time.tsx'
import { appLink, runLink } from '../../state/links.ts'
import { lasted } from '../../state/relative-time.ts'
import { beforeLink } from './before-link.ts'
import { entryLooks, toneOf } from './entry-look.ts'

export function EntryList({
  entries,
  none,
  hasKeys = false,
}: {
  readonly entries: readonly TimelineEntry[]
  readonly none: string
  readonly hasKeys?: boolean
}) {
  if (entries.length === 0) return <p class="muted">{none}</p>
  return (
    <ol class="entries">
      {keyed(entries).map(([key, entry]) => (
        <Entry key={key} entry={entry} hasKey={hasKeys} />
      ))}
    </ol>
  )
}

/** By what it says, not by its place: a new one above must not take the focus from those below. */
function keyed(
  entries: readonly TimelineEntry[],
): readonly (readonly [key: string, entry: TimelineEntry])[] {
  const times = new Map<string, number>()
  return entries.map((entry) => {
    const said = [entry.at, entry.type, entry.key, entry.ref, entry.text].join(' ')
    const time = (times.get(said) ?? 0) + 1
    times.set(said, time)
    return [`${said} ${time}`, entry] as const
  })
}

function Entry({ entry, hasKey }: { readonly entry: TimelineEntry; readonly hasKey: boolean }) {
  const { at, type, key, ref, text, by, run, commit, duration, tone } = entry
  return (
    <li class="entry">
      <span class={`entry-icon tone-${toneOf(entry)}`} title={entryLooks[type].word}>
        <Icon name={entryLooks[type].icon} />
      </span>
      <div>
        <p>
          {hasKey && key !== undefined && (
            <a class="entry-key" href={appLink(key)}>
              {key}
            </a>
          )}{' '}
          {hasKey && key !== undefined ? text : sentence(text)}
        </p>
        <p class="muted small entry-facts">
          <Ago at={at} />
          {by !== undefined && <span>by {by}</span>}
          {duration !== undefined && <span>took {lasted(duration)}</span>}
          {commit !== undefined && <CommitText commit={commit} />}
          {run !== undefined && key !== undefined && (
            <a class="link" href={runLink(key, run)}>
              run {run}
            </a>
          )}
          {ref !== undefined && key !== undefined && (
            <a class="link mono" href={appLink(key, '', { resource: ref })}>
              {ref}
            </a>
          )}
          {tone === 'bad' && key !== undefined && (
            <a class="link" href={beforeLink(key, at)}>
              What changed before this?
            </a>
          )}
        </p>
      </div>
    </li>
  )
}
