/** Runs of the chart inside this process, and the bare calls that a run can't do without. */
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Podman } from '#clients/podman/client.ts'
import { listContainers } from '#clients/podman/containers.ts'
import { listImages } from '#clients/podman/images.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { listPods } from '#clients/podman/pods.ts'
import { listSecrets } from '#clients/podman/secrets.ts'
import { listVolumes } from '#clients/podman/volumes.ts'
import { chartsKind, chartsTarget } from '#domains/charts/domain.ts'
import { renderChart } from '#domains/charts/render/render.ts'
import { limitOf } from '#engine/apply/tasks.ts'
import type { EventOf } from '#model/event.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { directoryTree } from '#sources/directory.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { setTimeout as sleep } from 'node:timers/promises'

export const concurrency = 8
const { signal } = new AbortController()

export type Road = {
  run(isUninstall?: boolean): Promise<EventOf<'ended'>>
}

/** `store`: what earlier runs wrote, as a command finds it in its home. */
export function roadOf(podman: Podman, chart: string, store = memoryStore()): Road {
  const leases = memoryLeases(() => Date.now())
  const target = chartsTarget(podman)
  const clock = {
    now: () => Date.now(),
    sleep: (milliseconds: number, stop: AbortSignal) =>
      sleep(milliseconds, undefined, { signal: stop }),
    random: () => Math.random(),
  }
  const input = {
    tree: directoryTree(chart),
    namespace: null,
    layers: [],
    since: 0,
    seed: new Uint8Array(32),
    environment: {},
  }
  return {
    async run(isUninstall = false) {
      const request: Request = {
        application: { kind: 'chart', namespace: null, name: 'fifty' },
        instance: 'bench',
        trigger: 'manual',
        isDryRun: false,
        isUninstall,
        render: () => renderChart(input),
        revision: 'r',
        since: 0,
        source: null,
        holder: 'a benchmark',
        options: {
          isAtomic: true,
          waits: true,
          timeout: 60_000,
          concurrency,
          allowEmpty: false,
          allowMassDelete: false,
          recreateVolumes: false,
          pruneVolumes: true,
        },
      }
      let end: EventOf<'ended'> | undefined
      for await (const event of reconcile(
        request,
        { kind: chartsKind, target, clock, store, leases },
        signal,
      )) {
        if (event.type === 'ended') end = event
      }
      if (end?.outcome !== 'succeeded') throw new Error(`the run ${end?.outcome}`)
      return end
    },
  }
}

/** What must be asked to know what runs. */
export async function bareLists(podman: Podman): Promise<void> {
  await Promise.all([
    listContainers(podman, signal),
    listNetworks(podman, signal),
    listVolumes(podman, signal),
    listSecrets(podman, signal),
    listPods(podman, signal),
    listImages(podman, signal),
  ])
}

export type Bodies = {
  readonly networks: readonly JsonRecord[]
  readonly containers: readonly JsonRecord[]
}

/** The bodies that a run sends, so that the bare loop sends the very same. */
export function recording(podman: Podman): { readonly podman: Podman; readonly bodies: Bodies } {
  const networks: JsonRecord[] = []
  const containers: JsonRecord[] = []
  return {
    bodies: { networks, containers },
    podman: {
      ...podman,
      ask(method, path, asked) {
        const { body } = asked
        if (!(body instanceof Uint8Array) && isRecord<Json>(body)) {
          if (path === '/networks/create') networks.push(body)
          if (path === '/containers/create') containers.push(body)
        }
        return podman.ask(method, path, asked)
      },
    },
  }
}

/** Only the calls that make things, at the same concurrency, with no order but networks first. */
export async function bareLoop(podman: Podman, bodies: Bodies): Promise<void> {
  const limit = limitOf(concurrency)
  const doing = 'the bare loop failed'
  async function make(path: string, body: JsonRecord): Promise<void> {
    await limit(() => podman.ask('POST', path, { body, signal, doing }))
  }
  await Promise.all(bodies.networks.map((body) => make('/networks/create', body)))
  await Promise.all(
    bodies.containers.map((body) =>
      limit(async () => {
        const said = await podman.ask('POST', '/containers/create', { body, signal, doing })
        const id = String(Object(said.body)['Id'])
        await podman.ask('POST', `/containers/${id}/start`, { signal, doing })
      }),
    ),
  )
}
