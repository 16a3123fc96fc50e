/** Keeps the page of an application live: its status, the run that goes on, and when to ask again. */
import { useEffect, useRef, useState } from 'preact/hooks'
import type { AppRow } from '#model/api.ts'
import type { AppStatus } from '#model/service.ts'
import { follow, listen } from '../../api/stream.ts'
import { nextRun, type LiveRun } from '../../state/live-run.ts'

export type LiveApp = {
  /** The newest status, once there was one. */
  readonly changed: (AppStatus & Partial<AppRow>) | undefined
  readonly run: LiveRun | undefined
  /** Grows when what is shown of its resources may have changed. */
  readonly round: number
}

/** After the last of several changes in a row, ms. */
const settled = 400

export function useLiveApp(appKey: string, reload: () => void): LiveApp {
  const [changed, setChanged] = useState<LiveApp['changed']>()
  const [run, setRun] = useState<LiveRun>()
  const [round, setRound] = useState(0)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)

  useEffect(() => {
    setChanged(undefined)
    setRun(undefined)
    follow({ app: appKey })
    function again(): void {
      clearTimeout(timer.current)
      timer.current = setTimeout(() => {
        setRound((old) => old + 1)
        reload()
      }, settled)
    }
    const end = listen((event) => {
      if (event.type === 'missed') {
        // what is asked for now is newer than what was heard
        setChanged(undefined)
        again()
      }
      if (event.type === 'app' && event.status.key === appKey) {
        setChanged(event.status)
        again()
      }
      if (event.type === 'run' && event.key === appKey) {
        setRun((old) => nextRun(old, event.event))
        if (event.event.type === 'group' || event.event.type === 'ended') again()
      }
    })
    return () => {
      clearTimeout(timer.current)
      end()
    }
  }, [appKey])

  return { changed, run, round }
}
