/** How many of an application's containers run, or of its pods in a cluster; nothing where it has none. */
import type { AppStatus } from '#model/service.ts'

export function Running({
  containers: { running, total },
}: {
  readonly containers: AppStatus['containers']
}) {
  if (total === 0) {
    return (
      <span class="muted" title="Nothing of it runs as a process">
        –
      </span>
    )
  }
  return (
    <span class={running < total ? 'tone-warn' : undefined}>
      {running}/{total}
    </span>
  )
}
