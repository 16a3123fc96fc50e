/** Flux's own controllers beside Tend: which of them are at work, by the leases that they hold. */
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { getObject } from '#clients/kubernetes/objects.ts'
import type { Clock } from '#model/clock.ts'
import { Problem } from '#model/problem.ts'
import { home, leases } from './kinds.ts'

export type FluxController = 'source-controller' | 'notification-controller'

type FluxControllers = {
  has(controller: FluxController): boolean
  /** Looks who is there now. */
  look(signal: AbortSignal): Promise<void>
}

/** ms. One that is restarted lets go of its lease, and is back soon: nobody does its work meanwhile. */
const restartTime = 20_000

export function watchFluxControllers(kubernetes: Kubernetes, clock: Clock): FluxControllers {
  const seen = new Map<FluxController, number>()
  async function lookFor(controller: FluxController, signal: AbortSignal): Promise<void> {
    const holder = await holderOf(kubernetes, controller, clock, signal)
    if (holder !== undefined) seen.set(controller, clock.now())
  }
  return {
    has(controller) {
      const at = seen.get(controller)
      return at !== undefined && clock.now() - at < restartTime
    },
    async look(signal) {
      await lookFor('source-controller', signal)
      await lookFor('notification-controller', signal)
    },
  }
}

/** Throws when Flux's kustomize-controller is at work there. */
export async function refuseBesideFlux(
  kubernetes: Kubernetes,
  clock: Clock,
  signal: AbortSignal,
): Promise<undefined> {
  const controller = 'kustomize-controller'
  const holder = await holderOf(kubernetes, controller, clock, signal)
  if (holder === undefined) return undefined
  throw new Problem({
    type: 'configuration',
    code: 'held',
    message: `Flux's ${controller} is at work on this cluster: ${holder}`,
    suggestion: `two controllers would undo each other's work; end it first: kubectl -n ${home} scale deployment ${controller} --replicas 0`,
  })
}

/** Who holds the lease of one of Flux's controllers, and since when; undefined: nobody. */
export async function holderOf(
  kubernetes: Kubernetes,
  controller: string,
  clock: Clock,
  signal: AbortSignal,
): Promise<string | undefined> {
  const place = { kind: leases, namespace: home, name: `${controller}-leader-election` }
  const lease = await getObject(kubernetes, place, signal)
  const { holderIdentity, renewTime, leaseDurationSeconds } = recordOf(lease?.['spec'])
  const age = clock.now() - Date.parse(textOf(renewTime))
  const lasts = (numberOf(leaseDurationSeconds) || 35) * 1000
  if (textOf(holderIdentity) === '' || !(age < lasts)) return undefined
  const seconds = Math.max(0, Math.round(age / 1000))
  return `${textOf(holderIdentity)} renewed its lease ${seconds} seconds ago`
}
