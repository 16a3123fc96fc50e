/** A moment: how long ago, with the exact time when the pointer rests on it. */
import { ago, exact } from '../state/relative-time.ts'
import { now } from '../state/now.ts'

export function Ago({ at, before = '' }: { readonly at: number; readonly before?: string }) {
  return (
    <time dateTime={new Date(at).toISOString()} title={exact(at)}>
      {before}
      {ago(at, now.value)}
    </time>
  )
}
