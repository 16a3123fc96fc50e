/** Whether a cluster of a fleet is ready: its API server answers /readyz with 200. */
import type { Look } from '#model/domain.ts'
import { kindOf, nameOf, type Ref } from '#model/ref.ts'
import type { FleetContext } from '../fleet-context.ts'

/** How soon a cluster that is not ready is looked at again, ms. */
const again = 250

/** Only clusters have a health. A registration is well as soon as it is there. */
export async function look(context: FleetContext, ref: Ref, signal: AbortSignal): Promise<Look> {
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

/**
 * Notes that a new cluster got ready, as soon as that is seen. A run may be killed while other clusters are not ready yet, and
 * the next run makes a cluster anew whose note says that it was never ready.
 */
async function noteReady({ clusters, memory }: FleetContext, name: string): Promise<void> {
  const made = memory.making?.get(name)
  if (made === undefined) return
  memory.making?.delete(name)
  // where the database can't be written, writing the row fails too, and that is told
  await clusters.noteMade(name, { ...made, phase: 'made' }).catch(() => undefined)
}
