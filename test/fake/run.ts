/** Runs the whole road on a fake world and gives its events. */
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Event, EventOf } from '#model/event.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Value } from '#model/value.ts'
import { vaultOf } from '#model/vault.ts'
import type { Leases, Store } from '#model/store.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { fakeClock } from './clock.ts'
import type { World } from './world.ts'

export type Memory = { readonly store: Store; readonly leases: Leases }

export function freshMemory(): Memory {
  return { store: memoryStore(), leases: memoryLeases(() => 0) }
}

export function resource(ref: string, spec: Value, needs: readonly Need[] = []): Resource {
  const origin = { file: 'test.yaml', line: 1, column: 1 }
  return { ref, spec, needs, origin, problems: [] }
}

const options = {
  isAtomic: true,
  waits: true,
  timeout: 30_000,
  concurrency: 4,
  allowEmpty: true,
  allowMassDelete: true,
  recreateVolumes: false,
  pruneVolumes: false,
}

export async function runOn(
  world: World,
  resources: readonly Resource[],
  more: {
    readonly memory?: Memory
    readonly request?: Partial<Request>
    readonly options?: Partial<Request['options']>
    readonly signal?: AbortSignal
    readonly onEvent?: (event: Event) => void
  } = {},
): Promise<readonly Event[]> {
  const request: Request = {
    application: { kind: 'chart', namespace: null, name: 'app' },
    instance: 'test',
    trigger: 'manual',
    isDryRun: false,
    isUninstall: false,
    render: () => ({
      resources,
      problems: resources.flatMap(({ problems }) => problems),
      warnings: [],
      isIncomplete: false,
      version: '1',
      vault: vaultOf(new Map(), new Uint8Array([1])),
    }),
    revision: 'r1',
    since: 0,
    source: null,
    holder: 'a test',
    ...more.request,
    options: { ...options, ...more.options },
  }
  const memory = more.memory ?? freshMemory()
  const parts = { kind: world.kind, target: world.target, clock: fakeClock(), ...memory }
  const signal = more.signal ?? new AbortController().signal
  const events: Event[] = []
  for await (const event of reconcile(request, parts, signal)) {
    events.push(event)
    more.onEvent?.(event)
  }
  return events
}

export function endOf(events: readonly Event[]): EventOf<'ended'> {
  const last = events.at(-1)
  if (last?.type !== 'ended') throw new TypeError(`the last event is ${last?.type}`)
  return last
}
