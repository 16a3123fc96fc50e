/** How many of an application's containers run, or of its pods in a cluster; nothing where it has none. */
import type { AppStatus } from '#model/service.ts'

export function Running({
  containers: { running, total, completed = 0 },
}: {
  readonly containers: AppStatus['containers']
}) {
  const ended = `${completed} ended as ${completed === 1 ? 'it was' : 'they were'} meant to`
  if (total === 0 && completed > 0) return <span title={ended}>completed</span>
  if (total === 0) {
    return (
      <span class="muted" title="Nothing of it runs as a process">
        –
      </span>
    )
  }
  return (
    <span
      class={running < total ? 'tone-warn' : undefined}
      {...(completed > 0 ? { title: ended } : {})}
    >
      {running}/{total}
    </span>
  )
}
