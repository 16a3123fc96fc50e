/** Words that matter, in the colour of their tone. */
import type { ComponentChildren } from 'preact'
import type { Trouble } from '../api/request.ts'
import type { Tone } from '../state/tones.ts'
import { Icon, type IconName } from './icon.tsx'
import { sentence } from './sentence.ts'

const icons: Readonly<Record<Tone, IconName>> = {
  good: 'ring',
  warn: 'warning',
  bad: 'fail',
  info: 'question',
  quiet: 'question',
}

export function Notice({
  tone,
  icon,
  children,
}: {
  readonly tone: Tone
  readonly icon?: IconName
  readonly children: ComponentChildren
}) {
  return (
    <div class={`notice tone-${tone}`} role={tone === 'bad' ? 'alert' : undefined}>
      <Icon name={icon ?? icons[tone]} />
      <div>{children}</div>
    </div>
  )
}

/** What went wrong, where, and what to do about it. */
export function TroubleNotice({
  trouble: { detail, suggestion, at },
  retry,
}: {
  readonly trouble: Trouble
  readonly retry?: () => void
}) {
  return (
    <Notice tone="bad">
      <p>{sentence(detail)}</p>
      {at !== undefined && (
        <p class="mono small">
          {at.file}:{at.line}
        </p>
      )}
      {suggestion !== undefined && <p class="small">{sentence(suggestion)}</p>}
      {retry !== undefined && (
        <button type="button" class="link small" onClick={retry}>
          Try again
        </button>
      )}
    </Notice>
  )
}
