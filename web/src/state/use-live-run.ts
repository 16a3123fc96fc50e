/** The run of an application as it goes on, for a page that shows more than one of them. */
import { useEffect, useState } from 'preact/hooks'
import { listen } from '../api/stream.ts'
import { nextRun, type LiveRun } from './live-run.ts'

export function useLiveRun(appKey: string): LiveRun | undefined {
  const [run, setRun] = useState<LiveRun>()
  useEffect(() => {
    setRun(undefined)
    return listen((event) => {
      if (event.type === 'run' && event.key === appKey) setRun((old) => nextRun(old, event.event))
    })
  }, [appKey])
  return run
}
