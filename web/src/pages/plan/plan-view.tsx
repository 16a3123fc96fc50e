/** A plan: what would be created, changed and removed, field by field, and what is left alone. */
import type { FieldOrigin } from '#model/api.ts'
import type { Group, Plan, Step } from '#model/plan.ts'
import { ChangeList } from '../../parts/change-list.tsx'
import { Icon } from '../../parts/icon.tsx'
import { Notice } from '../../parts/notice.tsx'
import type { Tone } from '../../state/tones.ts'

type Origins = Readonly<Record<string, Readonly<Record<string, FieldOrigin>>>>

const steps: Readonly<Record<Step, readonly [Tone, string]>> = {
  create: ['good', 'Create'],
  update: ['info', 'Update'],
  replace: ['warn', 'Replace'],
  delete: ['bad', 'Delete'],
}

export function PlanView({
  plan,
  origins = {},
}: {
  readonly plan: Plan
  readonly origins?: Origins | undefined
}) {
  const { groups, skipped, kept, warnings, unchanged } = plan
  return (
    <div class="plan">
      <PlanCounts plan={plan} />
      {warnings.map((text) => (
        <Notice key={text} tone="warn">
          {text}
        </Notice>
      ))}
      {skipped.map(({ ref, problem }) => (
        <Notice key={ref} tone="bad">
          <p>
            <code>{ref}</code> is not touched: {problem.message}
          </p>
          {problem.at !== undefined && (
            <p class="mono small">
              {problem.at.file}:{problem.at.line}
            </p>
          )}
          {problem.suggestion !== undefined && <p class="small">{problem.suggestion}</p>}
        </Notice>
      ))}
      {groups.map((group) => (
        <GroupView key={group.ref} group={group} origins={origins[group.ref] ?? {}} />
      ))}
      {kept.map(({ ref, why }) => (
        <p key={ref} class="muted">
          <code>{ref}</code> is kept: {why}
        </p>
      ))}
      {unchanged.length > 0 && groups.length > 0 && (
        <details class="unchanged">
          <summary class="muted">{unchanged.length} stay as they are</summary>
          <ul>
            {unchanged.map((ref) => (
              <li key={ref}>
                <code>{ref}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </div>
  )
}

export function PlanCounts({
  plan: { groups, unchanged, skipped },
}: {
  readonly plan: Pick<Plan, 'groups' | 'unchanged' | 'skipped'>
}) {
  if (groups.length === 0 && skipped.length === 0) {
    return (
      <p class="state tone-good">
        <Icon name="check" />
        Nothing to do: all {unchanged.length} resources are as declared.
      </p>
    )
  }
  const counts = Object.entries(steps).flatMap(([step, [tone, word]]) => {
    const count = groups.filter((group) => group.step === step).length
    return count === 0 ? [] : [{ step, tone, word, count }]
  })
  return (
    <p class="plan-counts">
      {counts.map(({ step, tone, word, count }) => (
        <span key={step} class={`pill tone-${tone}`}>
          {word} {count}
        </span>
      ))}
      {skipped.length > 0 && <span class="pill tone-bad">Not touched {skipped.length}</span>}
      <span class="muted small">{unchanged.length} unchanged</span>
    </p>
  )
}

function GroupView({
  group: { ref, step, cause, changes, needs, gate, make },
  origins,
}: {
  readonly group: Group
  readonly origins: Readonly<Record<string, FieldOrigin>>
}) {
  const [tone, word] = steps[step]
  const withOrigins = changes.map((change) => ({ ...change, origin: origins[change.path] }))
  const commands = make.flatMap(({ command }) => (command === undefined ? [] : [command]))
  return (
    <details class={`plan-group edge-${tone}`} open>
      <summary>
        <span class={`pill tone-${tone}`}>{word}</span>
        <code class="truncate">{ref}</code>
        <span class="muted truncate">{cause}</span>
      </summary>
      {changes.length > 0 && <ChangeList changes={withOrigins} />}
      <p class="muted small plan-facts">
        {needs.length > 0 && <span>waits for {needs.map((need) => need.ref).join(', ')}</span>}
        {gate !== 'none' && <span>done when {gate}</span>}
        {make.some(({ disrupts }) => disrupts) && <span>stops serving for a moment</span>}
      </p>
      {commands.length > 0 && (
        <details class="commands">
          <summary class="muted small">Commands</summary>
          <pre class="yaml" tabIndex={0} aria-label={`Commands for ${ref}`}>
            {commands.join('\n')}
          </pre>
        </details>
      )}
    </details>
  )
}
