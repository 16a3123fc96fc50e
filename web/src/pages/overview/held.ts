/** Whether somebody points at a part of the page or stands in it with the keyboard: then nothing in it may move. */
import { useEffect } from 'preact/hooks'

/** A pointer that was left lying on the list for this long, ms, holds nothing: a screen on a wall stays up to date. */
const patience = 20_000

export function useHeld(element: HTMLElement | null, tell: (isHeld: boolean) => void): void {
  useEffect(() => {
    if (element === null) return undefined
    const ending = new AbortController()
    const { signal } = ending
    let isPointedAt = false
    let isFocused = false
    let isHeld = false
    let timer: ReturnType<typeof setTimeout> | undefined

    function set(wanted: boolean): void {
      clearTimeout(timer)
      if (wanted) timer = setTimeout(() => set(false), patience)
      if (isHeld === wanted) return
      isHeld = wanted
      tell(wanted)
    }
    function pointed(): void {
      isPointedAt = true
      set(true)
    }
    for (const type of ['pointerenter', 'pointermove', 'pointerdown'] as const)
      element.addEventListener(type, pointed, { signal })
    element.addEventListener(
      'pointerleave',
      () => {
        isPointedAt = false
        set(isFocused)
      },
      { signal },
    )
    element.addEventListener(
      'focusin',
      () => {
        isFocused = true
        set(true)
      },
      { signal },
    )
    element.addEventListener('keydown', () => set(true), { signal })
    element.addEventListener(
      'focusout',
      ({ relatedTarget }) => {
        if (relatedTarget instanceof Node && element.contains(relatedTarget)) return
        isFocused = false
        set(isPointedAt)
      },
      { signal },
    )
    return () => {
      ending.abort()
      clearTimeout(timer)
      tell(false)
    }
  }, [element, tell])
}
