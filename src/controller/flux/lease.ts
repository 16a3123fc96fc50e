/** The right to act on a cluster: one Tend at a time, and none beside Flux's kustomize-controller. */
import { numberOf, recordOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { createObject, getObject, replaceObject } from '#clients/kubernetes/objects.ts'
import { metadataOf } from '#formats/manifest/metadata.ts'
import { statusIn } from '#clients/kubernetes/problem.ts'
import type { Clock } from '#model/clock.ts'
import type { JsonRecord } from '#model/json.ts'
import { Problem, problemOf } from '#model/problem.ts'
import type { Log } from '#model/log.ts'
import { sleepOrStop } from '#engine/sleep-or-stop.ts'
import { home, leases, namespaces } from './kinds.ts'
import { watchFluxControllers, refuseBesideFlux, type FluxController } from './flux-controllers.ts'

export type Hold = {
  /** Why nothing may be done at this moment; undefined: nobody else may believe to hold it. */
  problem(): Problem | undefined
  /** Ends when the lease is lost, with the problem as its reason; each time it is regained there is a new one. */
  period(): AbortSignal
  /** Whether one of Flux's other controllers is at work: where source-controller is, GitRepositories are its own. */
  has(controller: FluxController): boolean
  /** Resolves as soon as it is held. */
  untilHeld(signal: AbortSignal): Promise<void>
  /** Lets the next one have it at once. */
  release(): Promise<void>
}

type LeaseTimes = {
  /** How long it is ours after a renewal, ms. */
  readonly lasts: number
  /** After this time without one, ms, nothing more is done in its name: well before another may take it. */
  readonly patience: number
  readonly every: number
  /** How often it is looked whether Flux's own controllers came back. */
  readonly beside: number
}

const usualTimes: LeaseTimes = { lasts: 15_000, patience: 9_000, every: 2_000, beside: 10_000 }

type Seen = { readonly version: string; readonly at: number }

/** Waits until nobody else holds it, and from then on takes it again whenever it was lost. Throws when it can't be had at all. */
export async function takeLease(
  kubernetes: Kubernetes,
  holder: string,
  around: {
    readonly clock: Clock
    readonly log: Log
    readonly signal: AbortSignal
    /** A holder that is known to act no more: a replica of this service, whose place this one has taken. */
    readonly predecessor?: string | undefined
  },
  times: LeaseTimes = usualTimes,
): Promise<Hold> {
  const { clock, log, signal, predecessor } = around
  const place = { kind: leases, namespace: home, name: 'tend' }
  const ended = new AbortController()
  let period = new AbortController()
  let waiting: (() => void)[] = []
  let renewedAt = -Infinity
  let seen: Seen | undefined
  let toldOf = ''
  let isTaken = false
  let lookedAt = clock.now()
  const neighbours = watchFluxControllers(kubernetes, clock)

  /** Whether it is ours now. */
  async function attempt(): Promise<boolean> {
    const began = clock.now()
    const lease = await getObject(kubernetes, place, both())
    if (lease === undefined) {
      await createObject(kubernetes, place, leaseOf(undefined), writing()).catch(inNewHome)
    } else {
      const { holderIdentity } = recordOf(lease['spec'])
      const other = textOf(holderIdentity)
      const isFree = other === '' || other === holder || other === predecessor
      if (!isFree && !isOver(lease, began)) {
        if (toldOf !== other) log('info', 'waits for who tends this cluster', { holder: other })
        toldOf = other
        return false
      }
      await replaceObject(kubernetes, place, leaseOf(lease), writing())
    }
    renewedAt = began
    return true
  }

  /** A cluster where nothing was installed has not even the namespace. */
  async function inNewHome(thrown: unknown): Promise<void> {
    if (statusIn(problemOf(thrown))?.code !== 404) throw thrown
    const space = { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home } }
    const where = { kind: namespaces, namespace: '', name: home }
    await createObject(kubernetes, where, space, writing())
    await createObject(kubernetes, place, leaseOf(undefined), writing())
  }

  /** By our own clock: it did not change for as long as it says it lasts. */
  function isOver(lease: JsonRecord, now: number): boolean {
    const version = metadataOf(lease).resourceVersion
    if (seen?.version !== version) seen = { version, at: now }
    const seconds = numberOf(recordOf(lease['spec'])['leaseDurationSeconds'])
    return now - seen.at > (seconds || times.lasts / 1000) * 1000
  }

  function leaseOf(before: JsonRecord | undefined): JsonRecord {
    const old = recordOf(before?.['spec'])
    const isOurs = old['holderIdentity'] === holder
    const now = microTime(clock.now())
    return {
      apiVersion: 'coordination.k8s.io/v1',
      kind: 'Lease',
      metadata:
        before === undefined ? { name: 'tend', namespace: home } : (before['metadata'] ?? {}),
      spec: {
        holderIdentity: holder,
        leaseDurationSeconds: Math.round(times.lasts / 1000),
        acquireTime: isOurs ? (old['acquireTime'] ?? now) : now,
        renewTime: now,
        leaseTransitions: numberOf(old['leaseTransitions']) + (isOurs ? 0 : 1),
      },
    }
  }

  function both(): AbortSignal {
    const limit = AbortSignal.timeout(times.patience)
    // who was told to end still ends its calls, and holds it until then
    return AbortSignal.any([ended.signal, limit, ...(isTaken ? [] : [signal])])
  }

  function writing() {
    return { signal: both(), manager: 'tend' }
  }

  async function renewing(): Promise<void> {
    while (!ended.signal.aborted) {
      await sleepOrStop(clock, times.every, ended.signal)
      if (ended.signal.aborted) return
      const isOurs = await attempt().catch((thrown: unknown) => {
        // somebody wrote over it in between, or nobody answers: the next look tells
        log('debug', 'the lease was not renewed', { why: problemOf(thrown).message })
        return undefined
      })
      if (isOurs === false || !isRenewed()) lose(taken())
      else if (isOurs) await giveWay()
    }
  }

  /** To Flux's own controller while it is at work. */
  async function giveWay(): Promise<void> {
    const isLost = period.signal.aborted
    if (!isLost && clock.now() - lookedAt < times.beside) return
    lookedAt = clock.now()
    try {
      await refuseBesideFlux(kubernetes, clock, both())
      await neighbours.look(both())
      if (isLost) regain()
    } catch (thrown) {
      const problem = problemOf(thrown)
      // what nobody knows is asked again
      if (problem.code === 'held') lose(problem)
    }
  }

  function lose(problem: Problem): void {
    if (period.signal.aborted) return
    log('warning', 'work on the cluster pauses', { why: problem.message })
    period.abort(problem)
  }

  function regain(): void {
    log('info', 'work on the cluster goes on')
    period = new AbortController()
    for (const goOn of waiting.splice(0)) goOn()
  }

  function isRenewed(): boolean {
    return clock.now() - renewedAt < times.patience
  }

  for (;;) {
    const isOurs = await attempt().catch((thrown: unknown) => {
      signal.throwIfAborted()
      const problem = problemOf(thrown)
      if (isConflict(problem) || problem.recoverable) return false
      throw problem
    })
    if (isOurs) break
    await clock.sleep(times.every, signal)
  }
  isTaken = true
  await neighbours.look(both())
  const kept = renewing()
  return {
    problem() {
      if (period.signal.aborted) return problemOf(period.signal.reason)
      return isRenewed() ? undefined : taken()
    },
    period: () => period.signal,
    has: (controller) => neighbours.has(controller),
    async untilHeld(stop) {
      if (!period.signal.aborted || stop.aborted) return
      await new Promise<void>((resolve) => {
        waiting.push(resolve)
        stop.addEventListener('abort', () => resolve(), { once: true })
      })
    },
    async release() {
      ended.abort()
      await kept
      // also where it was left to Flux: the next one need not wait for it
      if (clock.now() - renewedAt >= times.patience) return
      const free = AbortSignal.timeout(times.patience)
      const lease = await getObject(kubernetes, place, free).catch(() => undefined)
      if (textOf(recordOf(lease?.['spec'])['holderIdentity']) !== holder) return
      const given = leaseOf(lease)
      const spec = { ...recordOf(given['spec']), holderIdentity: '', leaseDurationSeconds: 1 }
      const writes = { signal: free, manager: 'tend' }
      // a lease that can't be given back ends by time
      await replaceObject(kubernetes, place, { ...given, spec }, writes).catch(() => undefined)
    },
  }
}

/** No write goes out that another holder could meet. */
export function fenced(kubernetes: Kubernetes, hold: () => Hold | undefined): Kubernetes {
  return {
    ...kubernetes,
    as: (who) => fenced(kubernetes.as(who), hold),
    async ask(method, path, ask) {
      const held = hold()
      if (method === 'GET') return kubernetes.ask(method, path, ask)
      const problem = held === undefined ? taken() : held.problem()
      if (held === undefined || problem !== undefined) throw problem
      const signal = AbortSignal.any([ask.signal, held.period()])
      return kubernetes.ask(method, path, { ...ask, signal })
    },
  }
}

function taken(): Problem {
  const message = 'another Tend may tend this cluster by now: the lease was not renewed in time'
  return new Problem({ type: 'runtime', code: 'held', message, recoverable: false })
}

function isConflict(problem: Problem): boolean {
  return statusIn(problem)?.code === 409
}

/** Times of leases have six digits. */
function microTime(time: number): string {
  return new Date(time).toISOString().replace('Z', '000Z')
}
