/** What is declared at this moment, of an application whose runs render it themselves. */
import { defined } from '#model/defined.ts'
import type { Rendered } from '#model/domain.ts'
import type { AppState } from '../state/app-state.ts'

export async function renderNow({ monitor, owner, declared }: AppState): Promise<{
  readonly hash: string
  readonly rendered: Rendered
}> {
  const place = defined(monitor)
  const ports = place.connection().ports(owner, declared)
  const rendered = defined(await ports.render?.())
  return { rendered, hash: place.kind.hashOf(rendered) }
}
