/** Runs of stacks inside this process, on one target for all of them. */
import type { Docker } from '#clients/docker/client.ts'
import { stacksKind, stacksTarget } from '#domains/stacks/domain.ts'
import { connectDocker } from '#kinds/stacks/docker.ts'
import { ownerOf } from '#model/application.ts'
import type { Ports } from '#model/connection.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { EventOf } from '#model/event.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { renderFiles } from '#cli/stack/render-files.ts'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Project } from './fifty-stacks.ts'

const { signal } = new AbortController()

export type Road = {
  /** From the files to the last event. */
  run(project: Project, isUninstall?: boolean): Promise<EventOf<'ended'>>
}

/** As a command has it: nobody listens to the engine, and each run looks for itself. */
export function roadOf(docker: Docker, { waits } = { waits: true }): Road {
  const ports = { kind: stacksKind, target: stacksTarget(docker) }
  return roadOn(() => ports, waits)
}

export type ServiceRoad = Road & {
  /** One round of lists, as the service takes for all that it looks at then. */
  list(): Promise<unknown>
  close(): Promise<void>
}

/** As the service has it: one connection for all stacks of an engine, whose events are heard. */
export async function serviceRoad(address: string): Promise<ServiceRoad> {
  const connection = connectDocker({ address }, 'bench', { called() {} })
  const stop = new AbortController()
  const news = connection.watch(stop.signal)[Symbol.asyncIterator]()
  await news.next()
  const heard = (async () => {
    while ((await news.next()).done !== true);
  })().catch(() => undefined)
  return {
    ...roadOn((application) => connection.ports(ownerOf('bench', application)), true),
    list: () => connection.list(signal),
    async close() {
      stop.abort()
      await heard
      connection.close()
    },
  }
}

function roadOn(portsOf: (application: Request['application']) => Ports, waits: boolean): Road {
  const parts = {
    store: memoryStore(),
    leases: memoryLeases(() => Date.now()),
    clock: {
      now: () => Date.now(),
      sleep: (milliseconds: number, stop: AbortSignal) =>
        sleep(milliseconds, undefined, { signal: stop }),
      random: () => Math.random(),
    },
  }
  return {
    async run(project, isUninstall = false) {
      let end: EventOf<'ended'> | undefined
      const request = requestFor(project, isUninstall, waits)
      const all = { ...parts, ...portsOf(request.application) }
      for await (const event of reconcile(request, all, signal)) {
        if (event.type === 'ended') end = event
      }
      if (end?.outcome !== 'succeeded') throw new Error(`${project.name} ${end?.outcome}`)
      return end
    },
  }
}

function requestFor(project: Project, isUninstall: boolean, waits: boolean): Request {
  return {
    application: { kind: 'stack', namespace: null, name: project.name },
    instance: 'bench',
    trigger: 'manual',
    isDryRun: false,
    isUninstall,
    render: () => loaded(project).rendered,
    revision: 'r',
    since: 0,
    source: null,
    holder: 'a benchmark',
    options: {
      isAtomic: true,
      waits,
      timeout: 60_000,
      concurrency: 8,
      allowEmpty: false,
      allowMassDelete: false,
      recreateVolumes: false,
      pruneVolumes: true,
    },
  }
}

export function loaded({ folder, file }: Project): ReturnType<typeof renderFiles> {
  const wishes = {
    files: [file],
    folder,
    envFiles: [],
    profiles: [],
    name: undefined,
    scale: {},
    pull: undefined,
    usesEnvironment: false,
    allowsOutside: false,
  }
  return renderFiles(wishes, {})
}
