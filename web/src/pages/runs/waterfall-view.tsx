/** Steps as a waterfall: what waited for what, how long each took, and where it failed. */
import { Icon } from '../../parts/icon.tsx'
import { lasted } from '../../state/relative-time.ts'
import type { Bar, Waterfall, WaterfallRow } from './waterfall.ts'
import { withoutColours } from '../../parts/without-colours.ts'

const ends = {
  passed: ['good', 'check', 'Done'],
  failed: ['bad', 'fail', 'Failed'],
  skipped: ['quiet', 'minus', 'Skipped'],
  undone: ['warn', 'back', 'Rolled back'],
  open: ['info', 'spinner', 'Not ended'],
} as const

export function WaterfallView({
  waterfall: { from, to, rows },
}: {
  readonly waterfall: Waterfall
}) {
  if (rows.length === 0) return <p class="muted">It had no steps.</p>
  return (
    <ol class="waterfall panel" aria-label="Steps">
      <li class="waterfall-row waterfall-heads" aria-hidden="true">
        <span>Resource</span>
        <span class="waterfall-scale">
          <span>0</span>
          <span>{lasted((to - from) / 2)}</span>
          <span>{lasted(to - from)}</span>
        </span>
      </li>
      {rows.map((row) => (
        <Row key={row.ref} row={row} from={from} span={to - from} />
      ))}
    </ol>
  )
}

function Row({
  row,
  from,
  span,
}: {
  readonly row: WaterfallRow
  readonly from: number
  readonly span: number
}) {
  const [tone, icon, word] = ends[row.end]
  const took = row.bars.reduce((sum, bar) => sum + bar.to - bar.from, 0)
  return (
    <li class="waterfall-row">
      <div class="waterfall-name">
        <span class={`tone-${tone}`} title={word}>
          <Icon name={icon} />
          <span class="hidden">{word}</span>
        </span>
        <code class="truncate" title={row.ref}>
          {row.ref}
        </code>
        <span class="muted small">{row.step}</span>
      </div>
      <div class="waterfall-bars">
        <span class="hidden">took {lasted(took)}</span>
        {row.bars.map((bar, index) => (
          <BarView key={index} bar={bar} from={from} span={span} />
        ))}
      </div>
      {row.needs.length > 0 && (
        <p class="waterfall-needs muted small">waited for {row.needs.join(', ')}</p>
      )}
      {row.problem !== undefined && (
        <div class="waterfall-problem">
          <p class="tone-bad">{row.problem.message}</p>
          {row.problem.suggestion !== undefined && <p class="small">{row.problem.suggestion}</p>}
          {row.problem.details !== undefined && row.problem.details.length > 0 && (
            <pre class="last-lines" tabIndex={0} aria-label={`Last lines of ${row.ref}`}>
              {withoutColours(row.problem.details.join('\n'))}
            </pre>
          )}
        </div>
      )}
    </li>
  )
}

function BarView({
  bar,
  from,
  span,
}: {
  readonly bar: Bar
  readonly from: number
  readonly span: number
}) {
  const left = ((bar.from - from) / span) * 100
  const width = ((bar.to - bar.from) / span) * 100
  return (
    <span
      class={`bar-${bar.part}${bar.isFailed ? ' bar-failed' : ''} waterfall-bar`}
      style={{ left: `${Math.max(0, left)}%`, width: `max(3px, ${Math.max(0, width)}%)` }}
      title={`${bar.words}: ${lasted(bar.to - bar.from)}`}
    />
  )
}
