/** Logs of one or more containers, merged: followed, searched, paused. */
import { useLayoutEffect, useRef, useState } from 'preact/hooks'
import type { LogLine } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { PageTrouble } from '../../parts/page-trouble.tsx'
import { address, setQuery } from '../../state/address.ts'
import { clock, exact } from '../../state/relative-time.ts'
import { useTyped } from '../../state/use-typed.ts'
import { marked, numberOf } from './log-lines.ts'
import { useLogs } from './use-logs.ts'

const typing = 250
const sinces = [
  ['', 'Last 500 lines'],
  ['900000', 'Last 15 minutes'],
  ['3600000', 'Last hour'],
  ['86400000', 'Last day'],
] as const

export function LogView({
  appKey,
  containers,
  round,
}: {
  readonly appKey: string
  /** Without it, all of the application. */
  readonly containers?: readonly string[]
  /** Another one: containers may have come and gone. */
  readonly round: number
}) {
  // what is searched for is part of the address: a colleague sees the same lines
  const { find: search = '', since = '' } = address.value.query
  const send = (find: string) => setQuery({ find }, { replaces: true })
  const [typed, type] = useTyped(search, send, typing)
  const [isPaused, setPaused] = useState(false)
  const [hasTimes, setTimes] = useState(true)
  const [hidden, setHidden] = useState<ReadonlySet<string>>(new Set())
  const { lines, waiting, trouble, isOpen } = useLogs({
    appKey,
    containers,
    search,
    since,
    isPaused,
    round,
  })
  const area = useRef<HTMLPreElement>(null)
  const isAtEnd = useRef(true)

  useLayoutEffect(() => {
    if (isAtEnd.current && area.current !== null) area.current.scrollTop = area.current.scrollHeight
  }, [lines])

  const names = [...new Set(lines.map(({ container }) => container))].toSorted()
  const shown = hidden.size === 0 ? lines : lines.filter(({ container }) => !hidden.has(container))
  return (
    <div class="logs">
      <div class="bar">
        <label class="search">
          <span class="hidden">Search the logs</span>
          <Icon name="search" />
          <input
            class="field"
            type="search"
            placeholder="Search"
            value={typed}
            onInput={({ currentTarget }) => type(currentTarget.value)}
          />
        </label>
        <label>
          <span class="hidden">From</span>
          <select
            class="field"
            value={since}
            onChange={({ currentTarget }) => setQuery({ since: currentTarget.value })}
          >
            {sinces.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </label>
        <button
          type="button"
          class="button"
          aria-pressed={hasTimes}
          onClick={() => setTimes(!hasTimes)}
        >
          <Icon name="clock" />
          Times
        </button>
        <button
          type="button"
          class="button"
          aria-pressed={isPaused}
          onClick={() => setPaused(!isPaused)}
        >
          <Icon name={isPaused ? 'play' : 'pause'} />
          {isPaused ? `Go on${waiting > 0 ? ` (${waiting})` : ''}` : 'Pause'}
        </button>
        <span class="muted small" role="status">
          {isPaused ? 'Paused' : isOpen ? 'Following' : 'Waiting'} · {shown.length} lines
        </span>
      </div>
      {names.length > 1 && (
        <div class="log-names" role="group" aria-label="Containers">
          {names.map((name, index) => (
            <button
              key={name}
              type="button"
              class={`pill log-colour-${index % 6}`}
              aria-pressed={!hidden.has(name)}
              onClick={() =>
                setHidden(
                  (old) =>
                    new Set(
                      old.has(name) ? [...old].filter((one) => one !== name) : [...old, name],
                    ),
                )
              }
            >
              {name}
            </button>
          ))}
        </div>
      )}
      {trouble !== undefined && <PageTrouble trouble={trouble} />}
      <pre
        ref={area}
        class="log-area"
        tabIndex={0}
        role="log"
        aria-label="Logs"
        aria-live="off"
        onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
          isAtEnd.current = scrollHeight - scrollTop - clientHeight < 30
        }}
      >
        {shown.map((line) => (
          <Line
            key={numberOf(line)}
            line={line}
            hasTime={hasTimes}
            place={names.length > 1 ? names.indexOf(line.container) : -1}
            search={search}
          />
        ))}
        {shown.length === 0 && trouble === undefined && (
          <span class="muted">{search === '' ? 'No lines yet' : 'No line has this text'}</span>
        )}
      </pre>
    </div>
  )
}

function Line({
  line: { at, container, stream, text },
  hasTime,
  place,
  search,
}: {
  readonly line: LogLine
  readonly hasTime: boolean
  readonly place: number
  readonly search: string
}) {
  return (
    <span class={stream === 'stderr' ? 'log-line err' : 'log-line'}>
      {hasTime && (
        <time class="muted" title={exact(at)}>
          {`${clock(at)} `}
        </time>
      )}
      {place >= 0 && <span class={`log-colour-${place % 6}`}>{`${container} `}</span>}
      {marked(text, search).map(([part, isFound], index) =>
        isFound ? <mark key={index}>{part}</mark> : part,
      )}
      {'\n'}
    </span>
  )
}
