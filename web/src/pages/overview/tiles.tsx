/** How many are how: a tile for each state of both answers, which filters when it is pressed. */
import { Icon, type IconName } from '../../parts/icon.tsx'
import { setQuery } from '../../state/address.ts'
import { healthLooks, healthStates, syncLooks, syncStates, type Look } from '../../state/tones.ts'
import { toggled } from './query.ts'
import type { Counts } from './rows.ts'

const titles: Readonly<Record<string, string>> = {
  drifted: 'What runs was changed by hand',
  behind: 'What runs is as it was applied, and its source has something newer',
}

type Query = Readonly<Record<string, string>>

export function Tiles({ counts, query }: { readonly counts: Counts; readonly query: Query }) {
  return (
    <div class="tiles">
      <section aria-label="Health: does it work">
        <h2>Health</h2>
        <div class="tile-row">
          {healthStates.map((state) => (
            <Tile
              key={state}
              part="health"
              state={state}
              look={healthLooks[state]}
              count={counts.health[state] ?? 0}
              query={query}
            />
          ))}
        </div>
      </section>
      <section aria-label="Sync: is it as declared">
        <h2>Sync</h2>
        <div class="tile-row">
          {syncStates.map((state) => (
            <Tile
              key={state}
              part="sync"
              state={state}
              look={syncLooks[state]}
              count={counts.sync[state] ?? 0}
              query={query}
            />
          ))}
        </div>
      </section>
    </div>
  )
}

function Tile({
  part,
  state,
  look: { tone, icon, word },
  count,
  query,
}: {
  readonly part: 'sync' | 'health'
  readonly state: string
  readonly look: Look<IconName>
  readonly count: number
  readonly query: Query
}) {
  const isOn = query[part]?.split(',').includes(state) ?? false
  return (
    <button
      type="button"
      class={`tile tone-${count === 0 ? 'quiet' : tone}`}
      aria-pressed={isOn}
      title={titles[state]}
      onClick={() => setQuery({ [part]: toggled(query[part], state) })}
    >
      <span class="tile-count">{count.toLocaleString()}</span>
      <span class="tile-word">
        <Icon name={icon} />
        {word}
      </span>
    </button>
  )
}
