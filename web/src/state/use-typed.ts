/** A text that is typed into the address: sent when nobody typed for a moment, and taken over when the address says another one. */
import { useEffect, useRef, useState } from 'preact/hooks'

export function useTyped(
  text: string,
  send: (text: string) => void,
  pause: number,
): readonly [typed: string, type: (text: string) => void] {
  const [typed, type] = useState(text)
  /** What was sent from here comes back through the address, and must not undo what was typed since. */
  const known = useRef(text)
  useEffect(() => {
    if (text === known.current) return
    known.current = text
    type(text)
  }, [text])
  useEffect(() => {
    if (typed === known.current) return undefined
    const timer = setTimeout(() => {
      known.current = typed
      send(typed)
    }, pause)
    return () => clearTimeout(timer)
  }, [typed])
  return [typed, type]
}
