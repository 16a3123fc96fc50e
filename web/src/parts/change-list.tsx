/** Changed fields: what it is, what it becomes, and where that is declared. */
import type { ComponentChildren } from 'preact'
import type { FieldOrigin } from '#model/api.ts'
import type { Change } from '#model/plan.ts'
import { Origin } from './origin.tsx'
import { textLines } from './text-lines.ts'
import { valueText } from './value-text.ts'

export type OriginedChange = Change & { readonly origin?: FieldOrigin | undefined }

export function ChangeList({
  changes,
  action,
}: {
  readonly changes: readonly OriginedChange[]
  /** What can be done about a field. */
  readonly action?: (change: OriginedChange) => ComponentChildren
}) {
  return (
    <ul class="changes">
      {changes.map((change) => (
        <li key={change.path}>
          <div class="change-head">
            <code>{change.path}</code>
            <Origin origin={change.origin} />
            {action?.(change)}
          </div>
          <Values change={change} />
        </li>
      ))}
    </ul>
  )
}

function Values({ change: { from, to } }: { readonly change: Change }) {
  const [before, after] = [valueText(from), valueText(to)]
  if (before.includes('\n') || after.includes('\n')) {
    const lines = textLines(from === null ? '' : before, to === null ? '' : after)
    return (
      <pre class="text-diff" tabIndex={0} aria-label="Difference">
        {lines.map(({ sign, text }, index) => (
          <span key={index} class={sign === '+' ? 'came' : sign === '-' ? 'left' : ''}>
            {`${sign} ${text}\n`}
          </span>
        ))}
      </pre>
    )
  }
  return (
    <div class="change-values">
      <span class="left mono">
        <span class="hidden">from </span>
        {before}
      </span>
      <span aria-hidden="true">→</span>
      <span class="came mono">
        <span class="hidden">to </span>
        {after}
      </span>
    </div>
  )
}
