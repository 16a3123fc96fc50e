/** Shows what was asked for; until it is there, that it is on its way or why it is not. */
import type { ComponentChildren } from 'preact'
import type { Asked } from '../state/asked.ts'
import { Icon, type IconName } from './icon.tsx'
import { PageTrouble } from './page-trouble.tsx'
import { sentence } from './sentence.ts'

export function AskedView<Answer>({
  asked,
  title,
  lines = 5,
  children,
}: {
  readonly asked: Asked<Answer>
  /** Of a whole page: its heading until the answer brings one. */
  readonly title?: string
  readonly lines?: number
  readonly children: (answer: Answer) => ComponentChildren
}) {
  const { answer, trouble, reload } = asked
  return (
    <>
      {title !== undefined && answer === undefined && <h1 class="hidden">{title}</h1>}
      {trouble?.status === 403 && answer === undefined ? (
        <Empty icon="lock" title="You may not see this">
          <p>{sentence(trouble.detail)}</p>
          {trouble.suggestion !== undefined && <p>{sentence(trouble.suggestion)}</p>}
          <a class="link" href="/">
            To the overview
          </a>
        </Empty>
      ) : trouble?.status === 404 && answer === undefined ? (
        <Empty icon="question" title={sentence(trouble.detail)}>
          <a class="link" href="/">
            To the overview
          </a>
        </Empty>
      ) : (
        trouble !== undefined && (
          <PageTrouble trouble={trouble} retry={reload} isEmpty={answer === undefined} />
        )
      )}
      {answer === undefined && trouble === undefined && <Skeleton lines={lines} />}
      {answer !== undefined && children(answer)}
    </>
  )
}

export function Skeleton({ lines = 5 }: { readonly lines?: number }) {
  return (
    <div class="skeleton" role="status">
      <span class="hidden">Loading</span>
      {Array.from({ length: lines }, (_, index) => (
        <span key={index} style={{ width: `${92 - ((index * 17) % 45)}%` }} />
      ))}
    </div>
  )
}

export function Empty({
  icon,
  title,
  children,
}: {
  readonly icon: IconName
  readonly title: string
  readonly children?: ComponentChildren
}) {
  return (
    <div class="empty">
      <Icon name={icon} />
      <h2>{title}</h2>
      {children}
    </div>
  )
}
