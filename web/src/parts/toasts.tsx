/** What was said last, in a corner: above a dialog while one is open, and for as long as somebody points at it or stands in it. */
import { useRef } from 'preact/hooks'
import { focusOn } from '../state/focus.ts'
import { dismiss, toasts } from '../state/toasts.ts'
import { Icon } from './icon.tsx'
import { Notice } from './notice.tsx'

/** `isQuiet`: a dialog is open and says it; the area stays, so that what it says afterwards is read out. */
export function Toasts({ isQuiet = false }: { readonly isQuiet?: boolean }) {
  /** Where the focus came from: it goes back there with the last word. */
  const before = useRef<EventTarget | null>(null)
  return (
    <div
      class="toast-area"
      aria-live="polite"
      onFocusIn={({ currentTarget, relatedTarget }) => {
        const isFromWithin = relatedTarget instanceof Node && currentTarget.contains(relatedTarget)
        if (!isFromWithin) before.current = relatedTarget
      }}
    >
      {(isQuiet ? [] : toasts.value).map(({ id, tone, text, more }) => (
        <Notice key={id} tone={tone}>
          <button
            type="button"
            class="dismiss"
            aria-label="Dismiss"
            onClick={() => {
              if (before.current instanceof Element) focusOn(before.current)
              dismiss(id)
            }}
          >
            <Icon name="cross" />
          </button>
          <p>{text}</p>
          {more !== undefined && <p class="small">{more}</p>}
        </Notice>
      ))}
    </div>
  )
}
