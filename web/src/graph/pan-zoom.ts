/** Moves and zooms a picture in its frame. */
import { useEffect, useRef, useState } from 'preact/hooks'

type View = { readonly x: number; readonly y: number; readonly scale: number }
type Size = { readonly width: number; readonly height: number }

const [least, most] = [0.15, 2]
/** Smaller than this nobody reads the names: at first a large picture is shown from its beginning, and moved. */
const readable = 0.7

/** The whole picture, never larger than life, from the top; not smaller than `smallest`. */
export function fitting(picture: Size, frame: Size, smallest = least): View {
  const scale = Math.max(
    smallest,
    Math.min(1, frame.width / picture.width, frame.height / picture.height),
  )
  return {
    scale,
    x: Math.max(0, (frame.width - picture.width * scale) / 2),
    y: 0,
  }
}

export function zoomed(
  { x, y, scale }: View,
  by: number,
  at: { readonly x: number; readonly y: number },
): View {
  const next = Math.min(most, Math.max(least, scale * by))
  const ratio = next / scale
  return { scale: next, x: at.x - (at.x - x) * ratio, y: at.y - (at.y - y) * ratio }
}

export function usePanZoom(
  frame: { readonly current: HTMLElement | null },
  picture: Size | undefined,
) {
  const [view, setView] = useState<View>({ x: 0, y: 0, scale: 1 })
  const held = useRef<{ readonly x: number; readonly y: number; readonly view: View }>(undefined)
  const isMoved = useRef(false)

  function fit(smallest = least): void {
    const box = frame.current?.getBoundingClientRect()
    if (box !== undefined && picture !== undefined) setView(fitting(picture, box, smallest))
    isMoved.current = false
  }

  function zoom(by: number, at?: { readonly x: number; readonly y: number }): void {
    const box = frame.current?.getBoundingClientRect()
    if (box === undefined) return
    isMoved.current = true
    setView((old) => zoomed(old, by, at ?? { x: box.width / 2, y: box.height / 2 }))
  }

  // a picture that grew while somebody looks at a part of it stays where it is
  useEffect(() => {
    if (!isMoved.current) fit(readable)
  }, [picture?.width, picture?.height])

  // nor does the frame that became narrower because something was opened beside it hide what was pressed
  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    const watch = new ResizeObserver(() => {
      if (!isMoved.current) fit(readable)
    })
    watch.observe(element)
    return () => watch.disconnect()
  }, [picture?.width, picture?.height])

  useEffect(() => {
    const element = frame.current
    if (element === null) return undefined
    function wheel(event: WheelEvent): void {
      if (!event.ctrlKey && !event.metaKey) return
      event.preventDefault()
      const box = element?.getBoundingClientRect()
      zoom(Math.exp(-event.deltaY / 300), {
        x: event.clientX - (box?.x ?? 0),
        y: event.clientY - (box?.y ?? 0),
      })
    }
    element.addEventListener('wheel', wheel, { passive: false })
    return () => element.removeEventListener('wheel', wheel)
  }, [])

  const handlers = {
    onPointerDown(event: PointerEvent) {
      const isOnNode = event.target instanceof Element && event.target.closest('a, button') !== null
      if (isOnNode || event.button !== 0) return
      held.current = { x: event.clientX, y: event.clientY, view }
      if (event.currentTarget instanceof Element)
        event.currentTarget.setPointerCapture(event.pointerId)
    },
    onPointerMove(event: PointerEvent) {
      const from = held.current
      if (from === undefined) return
      isMoved.current = true
      setView({
        ...from.view,
        x: from.view.x + event.clientX - from.x,
        y: from.view.y + event.clientY - from.y,
      })
    },
    onPointerUp() {
      held.current = undefined
    },
  }
  return {
    handlers,
    fit: () => fit(),
    zoom: (by: number) => zoom(by),
    transform: `translate(${view.x}px, ${view.y}px) scale(${view.scale})`,
  }
}
