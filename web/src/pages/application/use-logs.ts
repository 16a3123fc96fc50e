/** Lines of logs, followed: when the stream ends, or containers come and go, it is opened again where it was, and nothing is shown twice. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { LogLine } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { troubleIn, type Trouble } from '../../api/request.ts'
import { appended, readLines, seamOf } from './log-lines.ts'

/** How long after the end it is opened again, ms: twice as long each time that nothing came. */
const [firstPause, longestPause] = [1000, 15_000]
const usualLines = 500

export function useLogs({
  appKey,
  containers,
  search,
  since,
  isPaused,
  round,
}: {
  readonly appKey: string
  readonly containers: readonly string[] | undefined
  readonly search: string
  /** How far back, ms; empty: the last lines. */
  readonly since: string
  /** Lines wait then, and are not lost. */
  readonly isPaused: boolean
  readonly round: number
}) {
  const [lines, setLines] = useState<readonly LogLine[]>([])
  const [held, setHeld] = useState<readonly LogLine[]>([])
  const [trouble, setTrouble] = useState<Trouble>()
  const [isOpen, setOpen] = useState(true)
  const paused = useRef(isPaused)
  paused.current = isPaused
  const reopen = useRef<() => void>(undefined)
  const names = containers?.join(',')

  useEffect(() => {
    setLines([])
    setHeld([])
    setTrouble(undefined)
    setOpen(true)
    const seam = seamOf()
    let pause = firstPause
    let timer: ReturnType<typeof setTimeout> | undefined
    let open = new AbortController()

    function take(some: readonly LogLine[]): void {
      const fresh = seam.passing(some)
      if (fresh.length === 0) return
      pause = firstPause
      if (paused.current) setHeld((old) => appended(old, fresh))
      else setLines((old) => appended(old, fresh))
    }

    async function read(signal: AbortSignal): Promise<void> {
      const from = seam.from() ?? (since === '' ? undefined : Date.now() - Number(since))
      const tail = from === undefined ? usualLines : undefined
      try {
        const query = { follow: true, tail, search, containers: names, since: from }
        const { body } = await api.logs(appKey, query, signal)
        setTrouble(undefined)
        setOpen(true)
        if (body !== null) await readLines(body, (some) => signal.aborted || take(some))
      } catch (thrown) {
        if (!signal.aborted) setTrouble(troubleIn(thrown))
      }
      if (signal.aborted) return
      setOpen(false)
      timer = setTimeout(begin, pause)
      pause = Math.min(pause * 2, longestPause)
    }

    function begin(): void {
      clearTimeout(timer)
      open.abort()
      open = new AbortController()
      void read(open.signal)
    }

    reopen.current = begin
    begin()
    return () => {
      clearTimeout(timer)
      open.abort()
    }
  }, [appKey, names, search, since])

  const shownRound = useRef(round)
  useEffect(() => {
    if (shownRound.current !== round) reopen.current?.()
    shownRound.current = round
  }, [round])

  useEffect(() => {
    if (isPaused || held.length === 0) return
    setLines((old) => appended(old, held))
    setHeld([])
  }, [isPaused])

  return { lines, waiting: held.length, trouble, isOpen }
}
