/** What the run under way waits for, in the words of its last look: the reason why an application is still syncing. */
import type { Event } from '#model/event.ts'
import type { Ref } from '#model/ref.ts'
import type { AppState } from './app-state.ts'

type Waits = {
  /** These are being made: what they tell is how far an operation is. */
  readonly making: Set<Ref>
  /** What was last seen of a resource that has to become healthy. */
  last: { readonly ref: Ref; readonly text: string } | undefined
}

const known = new WeakMap<AppState, Waits>()

/** Hears every event of a run. Gives whether the application waits for something else than before. */
export function noteGate(app: AppState, event: Event): boolean {
  const before = gateWait(app)
  if (event.type === 'started') known.set(app, { making: new Set(), last: undefined })
  if (event.type === 'ended') known.delete(app)
  const waits = known.get(app)
  if (waits !== undefined && event.type === 'group') {
    if (event.phase === 'began') waits.making.add(event.ref)
    else waits.making.delete(event.ref)
    if (waits.last?.ref === event.ref && event.phase !== 'waiting') waits.last = undefined
  }
  if (waits !== undefined && event.type === 'progress' && !waits.making.has(event.ref)) {
    waits.last = { ref: event.ref, text: event.text }
  }
  return gateWait(app) !== before
}

/** Empty: nothing is waited for, or nothing is seen of it yet. */
export function gateWait(app: AppState): string {
  const last = known.get(app)?.last
  return last === undefined ? '' : `${last.ref}: ${last.text}`
}
