/** What a snapshot would declare that nobody took over: nothing of it is remembered, and nothing runs because of it. */
import type { Snapshot } from '#model/source.ts'
import { unchanged } from '#model/unchanged.ts'
import type { AppState } from '../state/app-state.ts'
import type { ServiceState } from '../state/service-state.ts'
import {
  askRender,
  kindFor,
  mostRounds,
  renderInputOf,
  renderResultOf,
  rendersFor,
} from './desired-state.ts'
import type { RenderResult } from './render-result.ts'

/** Throws a problem. */
export async function renderAhead(
  service: ServiceState,
  app: AppState,
  snapshot: Snapshot,
): Promise<RenderResult> {
  const kind = kindFor(service, app)
  for (let round = 0; ; round += 1) {
    const input = { ...renderInputOf(service, app), snapshot }
    const answer = await askRender(service, app, input)
    if (answer === unchanged) throw new TypeError('nobody asked whether it is unchanged')
    const made = renderResultOf(service, app, input, answer)
    if (made.needs === undefined || round >= mostRounds) return made
    const renders = rendersFor(service, app)
    const { declared } = input
    const isThere = await kind.prepare?.(declared, snapshot, made.needs, renders, service.stop)
    if (isThere !== true) return made
  }
}
