/** Parts of a page, one of them open; where they do not fit side by side, the open one is brought into sight. */
import { useLayoutEffect, useRef } from 'preact/hooks'

export type Tab = {
  readonly name: string
  readonly title: string
  readonly href: string
  /** Beside the title, where it is more than none. */
  readonly count?: number
}

export function Tabs({
  label,
  tabs,
  open,
}: {
  readonly label: string
  readonly tabs: readonly Tab[]
  readonly open: string
}) {
  const strip = useRef<HTMLElement>(null)
  useLayoutEffect(() => {
    const own = strip.current?.querySelector('[aria-current]')
    if (strip.current === null || !(own instanceof HTMLElement)) return
    // the strip alone: the page stays where it is
    const left = own.offsetLeft - strip.current.offsetLeft
    const room = strip.current.clientWidth - own.offsetWidth
    strip.current.scrollLeft = Math.max(left - room, Math.min(left, strip.current.scrollLeft))
  }, [open, tabs.length])
  return (
    <nav class="tabs" aria-label={label} ref={strip}>
      {tabs.map(({ name, title, href, count = 0 }) => (
        <a key={name} href={href} aria-current={name === open ? 'page' : undefined}>
          {title}
          {count > 0 && <span class="count">{count}</span>}
        </a>
      ))}
    </nav>
  )
}
