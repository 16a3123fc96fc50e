/** What was asked of the service: loading, there, or failed; the old answer stays while a new one is on its way. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import { troubleIn, type Trouble } from '../api/request.ts'

export type Asked<Answer> = {
  readonly answer: Answer | undefined
  readonly trouble: Trouble | undefined
  readonly isLoading: boolean
  readonly reload: () => void
}

/** Asked again when one of `about` changes; another subject forgets the old answer at once. */
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
  const going = useRef<AbortController>(undefined)

  useEffect(() => {
    const control = new AbortController()
    going.current = control
    setState((old) =>
      old.subject === subject ? { ...old, isLoading: true } : { subject, isLoading: true },
    )
    question(control.signal).then(
      (answer) => {
        if (!control.signal.aborted) setState({ subject, answer, isLoading: false })
      },
      (thrown: unknown) => {
        if (control.signal.aborted) return
        const trouble = troubleIn(thrown)
        setState((old) => ({ ...old, subject, trouble, isLoading: false }))
      },
    )
    return () => control.abort()
  }, [subject, round])

  const reload = useCallback(() => setRound((old) => old + 1), [])
  const isSame = state.subject === subject
  return {
    answer: isSame ? state.answer : undefined,
    trouble: isSame ? state.trouble : undefined,
    isLoading: !isSame || state.isLoading,
    reload,
  }
}
