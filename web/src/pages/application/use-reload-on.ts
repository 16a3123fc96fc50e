/** Asks again when something was heard, but not at the start: that is asked anyway. */
import { useEffect, useRef } from 'preact/hooks'

export function useReloadOn(reload: () => void, round: number): void {
  const first = useRef(round)
  useEffect(() => {
    if (round !== first.current) reload()
  }, [round])
}
