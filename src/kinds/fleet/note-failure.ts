/** Writes what failed in a run into the row that it is about, at once. */
import type { Clusters } from '#model/clusters.ts'
import type { Event } from '#model/event.ts'
import { kindOf, nameOf } from '#model/ref.ts'

const mostLines = 21

export async function noteFailure(clusters: Pick<Clusters, 'mark'>, event: Event): Promise<void> {
  if (event.type !== 'group' || event.phase !== 'failed' || kindOf(event.ref) !== 'cluster') return
  const { ref, problem } = event
  const lines = [problem?.message ?? 'it failed', ...(problem?.details ?? [])]
  const error = lines.slice(0, mostLines).join('\n')
  // a row that can't be written fails those who must write it; the others go on and are told of
  await clusters
    .mark(nameOf(ref), { actual: 'failed', status: 'Failed', error })
    .catch(() => undefined)
}
