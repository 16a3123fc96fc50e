/** Search as you type, what to show, in which order, in which form. */
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from '../../parts/icon.tsx'
import { address, setQuery } from '../../state/address.ts'
import { useTyped } from '../../state/use-typed.ts'
import { chipsOf, sorts, turned } from './query.ts'

/** As long as somebody goes on typing nothing is asked. */
const typing = 120

type Query = Readonly<Record<string, string>>

export function Toolbar({
  query,
  labels,
}: {
  readonly query: Query
  /** Names that one can group by. */
  readonly labels: readonly string[]
}) {
  const isTurned = query['sort']?.startsWith('-') === true
  return (
    <div class="toolbar" role="search">
      <Search text={query['search'] ?? ''} />
      <button
        type="button"
        class="button"
        aria-pressed={query['only'] === 'attention'}
        onClick={() => setQuery({ only: query['only'] === 'attention' ? undefined : 'attention' })}
      >
        <Icon name="warning" />
        Needs attention
      </button>
      <Select
        label="Show"
        value={query['only'] === 'attention' ? '' : (query['only'] ?? '')}
        name="only"
        options={[
          ['', 'Any state'],
          ['suspended', 'Suspended'],
          ['waiting', 'Waiting'],
        ]}
      />
      <Select
        label="Group by"
        value={query['group'] ?? ''}
        name="group"
        also={{ closed: undefined }}
        options={[
          ['', 'No groups'],
          ['target', 'Target'],
          ['kind', 'Kind'],
          ['source', 'Source'],
          ...labelOptions(labels, query['group']),
        ]}
      />
      <Select
        label="Sort by"
        value={(query['sort'] ?? '').replace(/^-/, '').replace('attention', '')}
        name="sort"
        options={sorts.map(([name, words]) => [name === 'attention' ? '' : name, words])}
      />
      <button
        type="button"
        class="button square"
        aria-label="Turn the order round"
        title="Turn the order round"
        aria-pressed={isTurned}
        onClick={() => setQuery({ sort: turned(query['sort']) })}
      >
        <Icon name={isTurned ? 'up' : 'fall'} />
      </button>
      <div class="segmented" role="group" aria-label="Form">
        <button
          type="button"
          class="button square"
          aria-label="Rows"
          title="Rows"
          aria-pressed={query['view'] !== 'cards'}
          onClick={() => setQuery({ view: undefined })}
        >
          <Icon name="rows" />
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Cards"
          title="Cards"
          aria-pressed={query['view'] === 'cards'}
          onClick={() => setQuery({ view: 'cards' })}
        >
          <Icon name="cards" />
        </button>
      </div>
      <Chips />
    </div>
  )
}

/** The one in force stays to be seen though the filter left none that carries it. */
function labelOptions(
  labels: readonly string[],
  group: string | undefined,
): readonly (readonly [string, string])[] {
  const chosen = group?.startsWith('label:') === true ? [group.slice('label:'.length)] : []
  const names = new Set([...labels, ...chosen])
  return [...names].map((name) => [`label:${name}`, `Label ${name}`] as const)
}

function Search({ text }: { readonly text: string }) {
  const send = (search: string) => setQuery({ search }, { replaces: true })
  const [typed, type] = useTyped(text, send, typing)
  const input = useRef<HTMLInputElement>(null)
  useEffect(() => {
    function press(event: KeyboardEvent): void {
      const isTyping =
        event.target instanceof HTMLElement &&
        event.target.matches('input:not([type=checkbox]), textarea, select')
      if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey) return
      event.preventDefault()
      input.current?.focus()
    }
    addEventListener('keydown', press)
    return () => removeEventListener('keydown', press)
  }, [])
  return (
    <label class="search">
      <span class="hidden">Search applications</span>
      <Icon name="search" />
      <input
        ref={input}
        class="field"
        type="search"
        placeholder="Search name, commit, author, target, reason   ( / )"
        value={typed}
        onInput={({ currentTarget }) => type(currentTarget.value)}
      />
    </label>
  )
}

function Select({
  label,
  name,
  value,
  options,
  also,
}: {
  readonly label: string
  readonly name: string
  readonly value: string
  /** What else another choice changes. */
  readonly also?: Readonly<Record<string, undefined>>
  readonly options: readonly (readonly [value: string, words: string])[]
}) {
  return (
    <label class="select">
      <span class="hidden">{label}</span>
      <select
        class="field"
        value={value}
        onChange={({ currentTarget }) => setQuery({ ...also, [name]: currentTarget.value })}
      >
        {options.map(([option, words]) => (
          <option key={option} value={option}>
            {words}
          </option>
        ))}
      </select>
    </label>
  )
}

function Chips() {
  const chips = chipsOf(address.value)
  if (chips.length === 0) return null
  return (
    <ul class="chips" aria-label="Filters">
      {chips.map(([part, value]) => (
        <li key={part}>
          <button
            type="button"
            class="pill"
            title={`Take this filter away`}
            onClick={() => setQuery({ [part]: undefined })}
          >
            {part}: {value}
            <Icon name="cross" />
          </button>
        </li>
      ))}
    </ul>
  )
}
