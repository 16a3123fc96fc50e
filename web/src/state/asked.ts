/** What was asked of the service: loading, there, or failed; the old answer stays while a new one is on its way. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { troubleIn, type Trouble } from '../api/request.ts'

export type Asked<Answer> = {
  readonly answer: Answer | undefined
  readonly trouble: Trouble | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** What is on its way is waited for this long, ms, before it is asked for anew. */
const patience = 10_000

/** What failed and may pass is asked for again after so long, ms, and then ever later. */
const [firstPause, longestPause] = [2_000, 30_000]

/** The service was away, had too much to do, or failed: not that the question is wrong. */
function mayPass({ status }: Trouble): boolean {
  return status === 0 || status === 429 || status >= 500
}

/**
 * Asked again when one of `about` changes; another subject forgets the old answer at once. `reload` breaks nothing off that is on its
 * way: events that come faster than the service answers would keep the page empty for ever.
 */
export function useAsked<Answer>(
  question: (signal: AbortSignal) => Promise<Answer>,
  about: readonly unknown[],
): Asked<Answer> {
  const subject = about.join('\n')
  const [state, setState] = useState<{
    readonly subject: string
    readonly answer?: Answer
    readonly trouble?: Trouble
    readonly isLoading: boolean
  }>({ subject, isLoading: true })
  const [round, setRound] = useState(0)
  const going = useRef<{ readonly control: AbortController; readonly since: number }>(undefined)
  const isOld = useRef(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const failures = useRef(0)

  /** Ever longer, ms, while nothing comes. */
  function pause(): number {
    failures.current += 1
    return Math.min(firstPause * 2 ** (failures.current - 1), longestPause)
  }

  useEffect(() => {
    const control = new AbortController()
    going.current = { control, since: Date.now() }
    isOld.current = false
    setState((old) =>
      old.subject === subject ? { ...old, isLoading: true } : { subject, isLoading: true },
    )
    function ended(): boolean {
      if (control.signal.aborted) return false
      going.current = undefined
      if (isOld.current) setRound((old) => old + 1)
      return true
    }
    question(control.signal).then(
      (answer) => {
        failures.current = 0
        if (ended()) setState({ subject, answer, isLoading: false })
      },
      (thrown: unknown) => {
        if (!ended()) return
        const trouble = troubleIn(thrown)
        setState((old) => ({ ...old, subject, trouble, isLoading: false }))
        if (mayPass(trouble)) timer.current = setTimeout(() => setRound((old) => old + 1), pause())
      },
    )
    return () => {
      control.abort()
      clearTimeout(timer.current)
    }
  }, [subject, round])

  const reload = useCallback(() => {
    const { since } = going.current ?? {}
    if (since !== undefined && Date.now() - since < patience) isOld.current = true
    else setRound((old) => old + 1)
  }, [])
  const isSame = state.subject === subject
  return {
    answer: isSame ? state.answer : undefined,
    trouble: isSame ? state.trouble : undefined,
    isLoading: !isSame || state.isLoading,
    reload,
  }
}
