/** A dialog of the browser's own: focus stays inside, Escape closes it, and the focus goes back to what opened it. */
import type { ComponentChildren } from 'preact'
import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'
import { Toasts } from './toasts.tsx'

/** Nothing outside it can be seen well or pressed meanwhile: what is said is said in it. */
export const isDialogOpen = signal(false)

export function Dialog({
  title,
  close,
  foot,
  children,
}: {
  readonly title: string
  readonly close: () => void
  readonly foot?: ComponentChildren
  readonly children: ComponentChildren
}) {
  const dialog = useRef<HTMLDialogElement>(null)
  // a layout effect ends while the dialog is still in the page: after that, closing it gives the focus back to nobody
  useLayoutEffect(() => {
    const shown = dialog.current
    shown?.showModal()
    isDialogOpen.value = true
    return () => {
      isDialogOpen.value = false
      shown?.close()
    }
  }, [])
  function cancel(event: Event): void {
    event.preventDefault()
    close()
  }
  return (
    <dialog ref={dialog} aria-labelledby="dialog-title" onCancel={cancel}>
      <div class="dialog-head">
        <h2 id="dialog-title">{title}</h2>
        <button type="button" class="button plain square" aria-label="Close" onClick={close}>
          <Icon name="cross" />
        </button>
      </div>
      <div class="dialog-body">{children}</div>
      {foot !== undefined && <div class="dialog-foot">{foot}</div>}
      <Toasts />
    </dialog>
  )
}
