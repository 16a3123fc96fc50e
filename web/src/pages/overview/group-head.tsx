/** The head of a group: its name, how many it has and how many need attention; opens and closes. */
import { Icon } from '../../parts/icon.tsx'
import { address, withQuery } from '../../state/address.ts'
import { groupFilter } from './query.ts'
import type { Counts } from './rows.ts'

type Group = NonNullable<Counts['groups']>[number]

export function GroupHead({
  group: { name, total, attention },
  by,
  isClosed,
  toggle,
}: {
  readonly group: Group
  readonly by: string
  readonly isClosed: boolean
  readonly toggle: (name: string) => void
}) {
  const href = withQuery(address.value, { ...groupFilter(by, name), group: undefined })
  return (
    <div class="group-head">
      <button
        type="button"
        class="button plain"
        aria-expanded={!isClosed}
        onClick={() => toggle(name)}
      >
        <Icon name={isClosed ? 'right' : 'down'} />
        <strong class="truncate">{name || '(none)'}</strong>
      </button>
      <span class="muted small">{total.toLocaleString()}</span>
      {attention > 0 && (
        <span class="pill tone-warn">
          {attention.toLocaleString()} {attention === 1 ? 'needs' : 'need'} attention
        </span>
      )}
      {name !== '' && (
        <a class="link small" href={href}>
          Only these
        </a>
      )}
    </div>
  )
}
