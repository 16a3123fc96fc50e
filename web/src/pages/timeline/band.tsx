/** The band: a lane for each kind of entry over one scale of time, zoomed with wheel, keys and buttons. */
import { useEffect, useRef } from 'preact/hooks'
import type { TimelineEntry } from '#model/api.ts'
import { Icon } from '../../parts/icon.tsx'
import { exact } from '../../state/relative-time.ts'
import { entryLooks, entryTypes, toneOf } from './entry-look.ts'
import { moveSpan, placeOn, ticksOf, zoomSpan, type Span } from './scale.ts'

export function Band({
  span,
  entries,
  broke,
  setSpan,
}: {
  readonly span: Span
  readonly entries: readonly TimelineEntry[]
  /** The moment that is asked about. */
  readonly broke: number | undefined
  readonly setSpan: (span: Span) => void
}) {
  const area = useRef<HTMLDivElement>(null)
  const held = useRef<{ readonly x: number; readonly span: Span }>(undefined)
  const current = useRef(span)
  current.current = span

  useEffect(() => {
    const element = area.current
    if (element === null) return undefined
    function wheel(event: WheelEvent): void {
      if (!event.ctrlKey && !event.metaKey && !event.shiftKey) return
      event.preventDefault()
      const box = element?.getBoundingClientRect()
      const place = box === undefined ? 0.5 : (event.clientX - box.x) / box.width
      setSpan(zoomSpan(current.current, Math.exp((event.deltaY || event.deltaX) / 400), place))
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [])

  function press(event: KeyboardEvent): void {
    const moves: Readonly<Record<string, Span>> = {
      ArrowLeft: moveSpan(span, -0.2),
      ArrowRight: moveSpan(span, 0.2),
      '+': zoomSpan(span, 0.5),
      '-': zoomSpan(span, 2),
    }
    const move = moves[event.key]
    if (move === undefined) return
    event.preventDefault()
    setSpan(move)
  }

  const ticks = ticksOf(span, 7, new Date(span.from).getTimezoneOffset() * 60_000)
  return (
    <div class="band panel">
      <div class="band-tools" role="group" aria-label="Zoom">
        <button
          type="button"
          class="button square"
          aria-label="Earlier"
          onClick={() => setSpan(moveSpan(span, -0.5))}
        >
          <span class="turned">
            <Icon name="right" />
          </span>
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Later"
          onClick={() => setSpan(moveSpan(span, 0.5))}
        >
          <Icon name="right" />
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Zoom in"
          onClick={() => setSpan(zoomSpan(span, 0.5))}
        >
          <Icon name="plus" />
        </button>
        <button
          type="button"
          class="button square"
          aria-label="Zoom out"
          onClick={() => setSpan(zoomSpan(span, 2))}
        >
          <Icon name="minus" />
        </button>
      </div>
      <div class="band-grid">
        <div class="band-names" aria-hidden="true">
          {entryTypes.map((type) => (
            <span key={type}>
              <Icon name={entryLooks[type].icon} />
              {entryLooks[type].word}
            </span>
          ))}
        </div>
        <div
          ref={area}
          class="band-area"
          role="group"
          tabIndex={0}
          aria-label={`Band from ${exact(span.from)} to ${exact(span.to)}, ${entries.length} entries. Arrows move it, plus and minus zoom.`}
          onKeyDown={press}
          onPointerDown={(event) => {
            held.current = { x: event.clientX, span }
            event.currentTarget.setPointerCapture(event.pointerId)
          }}
          onPointerMove={(event) => {
            const from = held.current
            if (from === undefined) return
            setSpan(moveSpan(from.span, (from.x - event.clientX) / event.currentTarget.clientWidth))
          }}
          onPointerUp={() => (held.current = undefined)}
        >
          {ticks.map((at) => (
            <span key={at} class="band-tick" style={{ left: `${placeOn(span, at) * 100}%` }}>
              {tickText(at, span)}
            </span>
          ))}
          {broke !== undefined && (
            <span
              class="band-broke"
              style={{ left: `${placeOn(span, broke) * 100}%` }}
              title={exact(broke)}
            />
          )}
          {entries.map((entry, index) => (
            <Mark key={index} entry={entry} span={span} />
          ))}
        </div>
      </div>
    </div>
  )
}

function Mark({ entry, span }: { readonly entry: TimelineEntry; readonly span: Span }) {
  const lane = entryTypes.indexOf(entry.type)
  const left = placeOn(span, entry.at - (entry.duration ?? 0)) * 100
  const width = ((entry.duration ?? 0) / (span.to - span.from)) * 100
  const style = { left: `${left}%`, top: `${lane * 26 + 8}px`, width: `max(9px, ${width}%)` }
  const words = `${entry.key ?? ''} ${entry.text} (${exact(entry.at)})`.trim()
  return <span class={`band-mark mark-${toneOf(entry)}`} style={style} title={words} />
}

function tickText(at: number, { from, to }: Span): string {
  const isLong = to - from > 2 * 86_400_000
  const options = isLong
    ? ({ month: 'short', day: 'numeric' } as const)
    : ({ hour: '2-digit', minute: '2-digit' } as const)
  return new Intl.DateTimeFormat(undefined, options).format(at)
}
