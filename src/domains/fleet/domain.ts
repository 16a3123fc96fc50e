/** The two ports of a fleet. */
import type { Kind, Look, Target } from '#model/domain.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import { compare, type Recreation } from './compare/compare.ts'
import { expand } from './expand/expand.ts'
import { observe } from './observe/observe.ts'
import { operate } from './operate/operate.ts'
import type { FleetContext } from './fleet-context.ts'

export function fleetKind(recreation: Recreation): Kind {
  return {
    compare: (wanted, seen, vault) => compare(wanted, seen, vault, recreation),
    expand,
    keeps: () => undefined,
    subject: () => null,
    healthGate: (ref) => (kindOf(ref) === 'cluster' ? 'healthy' : undefined),
  }
}

export function fleetTarget(fleet: FleetContext): Target {
  return {
    observe: ({ wanted, signal }) => observe(fleet, wanted, signal),
    operate: (operation, context) => operate(fleet, operation, context),
    look: (ref, _subject, _gate, signal) => look(fleet, ref, signal),
    watch,
  }
}

const again = 250

/** Only clusters are waited for. */
async function look(context: FleetContext, ref: Ref, signal: AbortSignal): Promise<Look> {
  if (kindOf(ref) !== 'cluster') return { state: 'ok', message: 'it stands' }
  const name = nameOf(ref)
  const kubeconfig = context.kubeconfigs.read(name)
  if (kubeconfig === undefined)
    return { state: 'waiting', message: 'no kubeconfig', againIn: again }
  const readiness = await context.probe(kubeconfig, name, signal)
  if (readiness.kind === 'ready') {
    await noteReady(context, name)
    return { state: 'ok', message: 'it is ready' }
  }
  return { state: 'waiting', message: readiness.why, againIn: again }
}

/** At once: a run that is killed while others are not ready yet must not leave it as half made, to be made anew. */
async function noteReady({ clusters, memory }: FleetContext, name: string): Promise<void> {
  const made = memory.making?.get(name)
  if (made === undefined) return
  memory.making?.delete(name)
  // who can't write says so where the row must be written
  await clusters.noteMade(name, { ...made, phase: 'made' }).catch(() => undefined)
}

/** Providers tell of nothing by themselves: looks are taken again when they ask for it. */
async function* watch(_owner: string, signal: AbortSignal): AsyncIterable<Ref> {
  yield ''
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve()
    else signal.addEventListener('abort', () => resolve(), { once: true })
  })
}
