/** Buttons that open below another one: closed by a choice, by Escape and by going elsewhere, and the focus is kept. */
import type { ComponentChildren } from 'preact'
import { useEffect, useRef } from 'preact/hooks'
import { Icon } from './icon.tsx'

export function Menu({
  word,
  label,
  children,
}: {
  readonly word: string
  readonly label: string
  readonly children: ComponentChildren
}) {
  const menu = useRef<HTMLDetailsElement>(null)
  const button = useRef<HTMLElement>(null)
  function close(): void {
    if (menu.current === null || !menu.current.open) return
    // first the focus: a choice may open a dialog, which gives it back to whoever had it
    if (menu.current.contains(document.activeElement)) button.current?.focus()
    menu.current.open = false
  }
  useEffect(() => {
    function leave({ target }: Event): void {
      if (target instanceof Node && menu.current?.contains(target) === false) close()
    }
    document.addEventListener('pointerdown', leave)
    document.addEventListener('focusin', leave)
    return () => {
      document.removeEventListener('pointerdown', leave)
      document.removeEventListener('focusin', leave)
    }
  }, [])
  return (
    <details ref={menu} class="menu" onKeyDown={(event) => event.key === 'Escape' && close()}>
      <summary ref={button} class="button" aria-label={label}>
        {word}
        <Icon name="down" />
      </summary>
      <div class="menu-list panel" onClickCapture={close}>
        {children}
      </div>
    </details>
  )
}
