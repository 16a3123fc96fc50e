/** How many of an application's containers run; nothing where it has none, as in a cluster. */
import type { AppStatus } from '#model/service.ts'

export function Running({
  containers: { running, total },
}: {
  readonly containers: AppStatus['containers']
}) {
  if (total === 0) {
    return (
      <span class="muted" title="It has no containers of its own">
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
