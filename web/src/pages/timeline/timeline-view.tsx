/** Band and list over the span that the address says. */
import { useEffect, useRef, useState } from 'preact/hooks'
import { api } from '../../api/client.ts'
import { listen } from '../../api/stream.ts'
import { AskedView } from '../../parts/asked-view.tsx'
import { Icon } from '../../parts/icon.tsx'
import { address, setQuery } from '../../state/address.ts'
import { useAsked } from '../../state/asked.ts'
import { useReloadOn } from '../application/use-reload-on.ts'
import { toggled } from '../overview/query.ts'
import { Band } from './band.tsx'
import { EntryList } from './entry-list.tsx'
import { entryLooks, entryTypes } from './entry-look.ts'
import { firstEntries, lengths, startLength, type Span } from './scale.ts'

/** At the right of now, as a share of the band: what happens now is not cut off. */
const room = 0.02
/** After something happened the line is asked for again at most this often, ms. */
const calm = 2000

type Shown = {
  readonly appKey: string | undefined
  readonly round: number
  readonly isWhole?: boolean
}

/** Where the address says nothing it begins as far back as the last entries reach. */
export function TimelineView(shown: Shown) {
  const { last, from } = address.value.query
  const isSaid = last !== undefined || from !== undefined
  const { appKey } = shown
  const start = useAsked(
    async (signal) => {
      if (isSaid) return 0
      const { entries } = await api.timeline({ app: appKey, limit: firstEntries }, signal)
      return startLength(
        entries.map(({ at }) => at),
        Date.now(),
      )
    },
    [appKey, isSaid],
  )
  // one and the same band before and after the first zoom, so that it keeps the focus
  const asked = isSaid ? { ...start, answer: numberOr(last, 0) } : start
  return <AskedView asked={asked}>{(length) => <SpanView {...shown} last={length} />}</AskedView>
}

function SpanView({
  appKey,
  round,
  isWhole = false,
  last,
}: Shown & {
  /** How long a band is that follows the time, ms. */
  readonly last: number
}) {
  const { query } = address.value
  /** The right end of a band that follows the time. */
  const [end, setEnd] = useState(Date.now())
  const isFixed = query['to'] !== undefined
  const span: Span = {
    from: numberOr(query['from'], end - last),
    to: numberOr(query['to'], end + last * room),
  }
  const types = query['types']
  const broke = query['broke'] === undefined ? undefined : Number(query['broke'])
  const asked = useAsked(
    (signal) =>
      api.timeline({ from: span.from, to: span.to, app: appKey, types, limit: 500 }, signal),
    [span.from, span.to, appKey, types],
  )
  const kept = useLast(asked.answer)
  useReloadOn(asked.reload, round)
  const isLoading = useRef(true)
  isLoading.current = asked.isLoading
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    function look(): void {
      timer = undefined
      // another end is another question, and must not break off the one that is on its way
      if (isFixed) asked.reload()
      else if (isLoading.current) soon()
      else setEnd(Date.now())
    }
    function soon(): void {
      timer ??= setTimeout(look, calm)
    }
    const stop = listen(soon)
    return () => {
      clearTimeout(timer)
      stop()
    }
  }, [asked.reload, isFixed])
  const setSpan = ({ from, to }: Span) =>
    setQuery({ from: String(from), to: String(to) }, { replaces: true })
  const entries = (asked.answer ?? kept)?.entries ?? []
  return (
    <>
      <div class="bar">
        <div role="group" aria-label="Length" class="bar">
          {lengths.map(([words, length]) => (
            <button
              key={words}
              type="button"
              class="button"
              aria-pressed={!isFixed && last === length}
              onClick={() =>
                setQuery({
                  last: String(length),
                  from: undefined,
                  to: undefined,
                  broke: undefined,
                  about: undefined,
                })
              }
            >
              {words}
            </button>
          ))}
        </div>
        <div role="group" aria-label="What" class="bar">
          {entryTypes.map((type) => (
            <button
              key={type}
              type="button"
              class="button"
              aria-pressed={types?.split(',').includes(type) ?? false}
              onClick={() => setQuery({ types: toggled(types, type) })}
            >
              <Icon name={entryLooks[type].icon} />
              {entryLooks[type].word}
            </button>
          ))}
        </div>
      </div>
      <Band span={span} entries={entries} broke={broke} setSpan={setSpan} />
      <AskedView asked={{ ...asked, answer: asked.answer ?? kept }}>
        {(timeline) => (
          <>
            <EntryList
              entries={timeline.entries}
              none="Nothing happened in this time."
              hasKeys={isWhole}
            />
            {timeline.next !== undefined && (
              <button
                type="button"
                class="button"
                onClick={() => setQuery({ to: String(timeline.next) })}
              >
                Earlier
              </button>
            )}
          </>
        )}
      </AskedView>
    </>
  )
}

/** What was there before the span moved: the band must not flicker while it is dragged. */
function useLast<Answer>(answer: Answer | undefined): Answer | undefined {
  const [last, setLast] = useState(answer)
  useEffect(() => {
    if (answer !== undefined) setLast(() => answer)
  }, [answer])
  return last
}

function numberOr(text: string | undefined, otherwise: number): number {
  return text !== undefined && /^\d{1,15}$/.test(text) ? Number(text) : otherwise
}
