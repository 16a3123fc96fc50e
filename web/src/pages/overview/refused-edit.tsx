/** Says on the first page that tend.yaml was changed and not taken over: what was declared before stays in force. */
import { useEffect, useState } from 'preact/hooks'
import type { SourceRow } from '#model/api.ts'
import { api } from '../../api/client.ts'
import { listen } from '../../api/stream.ts'
import { Notice } from '../../parts/notice.tsx'
import { isDeclarations, refusedFile } from './refused-file.ts'

export function RefusedEdit() {
  const [told, setTold] = useState<Partial<SourceRow>>({})
  useEffect(() => {
    const control = new AbortController()
    const ask = () =>
      api.sources(control.signal).then(
        (rows) => setTold(rows.find(isDeclarations) ?? {}),
        // the page says by itself that the service does not answer
        () => undefined,
      )
    void ask()
    const end = listen((event) => {
      if (event.type === 'missed') void ask()
      else if (event.type === 'source' && isDeclarations(event.status)) setTold(event.status)
    })
    return () => {
      control.abort()
      end()
    }
  }, [])
  const words = refusedFile(told)
  if (words === undefined) return null
  return (
    <Notice tone="bad">
      <p>{words}</p>
      <p class="small">What was declared before stays in force until the file is mended.</p>
    </Notice>
  )
}
