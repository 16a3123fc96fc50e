/** A page that is asked for again when one of these events comes, at most so often. */
import { useEffect } from 'preact/hooks'
import { follow, listen, type StreamEvent } from '../api/stream.ts'

export function useLive(
  reload: () => void,
  types: readonly StreamEvent['type'][],
  calm = 1000,
): void {
  useEffect(() => {
    follow({})
    let timer: ReturnType<typeof setTimeout> | undefined
    const end = listen(({ type }) => {
      if (type !== 'missed' && !types.includes(type)) return
      timer ??= setTimeout(() => {
        timer = undefined
        reload()
      }, calm)
    })
    return () => {
      clearTimeout(timer)
      end()
    }
  }, [reload])
}
