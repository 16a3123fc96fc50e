/** Drives the whole road on a real Podman with specs written by hand, for tests of the target. */
import { setTimeout } from 'node:timers/promises'
import { podmanAt, type Podman } from '#clients/podman/client.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { chartsKind, chartsTarget } from '#domains/charts/domain.ts'
import type {
  ContainerSpec,
  NetworkSpec,
  PodSpec,
  SecretSpec,
  VolumeSpec,
} from '#domains/charts/spec.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { Clock } from '#model/clock.ts'
import type { Target } from '#model/domain.ts'
import type { Event, EventOf } from '#model/event.ts'
import type { Plan } from '#model/plan.ts'
import type { ProblemFacts } from '#model/problem.ts'
import type { Need, Resource } from '#model/resource.ts'
import type { Sealed, Value } from '#model/value.ts'
import type { Leases, Store } from '#model/store.ts'
import { vaultOf } from '#model/vault.ts'
import { memoryLeases, memoryStore } from '#store/memory.ts'
import { busybox } from './image.ts'
import { planText } from './plan-text.ts'

export const systemClock: Clock = {
  now: () => Date.now(),
  random: () => Math.random(),
  sleep: (milliseconds, signal) => setTimeout(milliseconds, undefined, { signal }),
}

export type Driven = {
  readonly events: readonly Event[]
  readonly end: EventOf<'ended'>
  readonly plan: Plan | undefined
  /** The plan's canonical text. */
  readonly text: string
  readonly problems: readonly ProblemFacts[]
  readonly warnings: readonly string[]
}

export type Driver = {
  readonly podman: Podman
  readonly target: Target
  /** Values of secrets by the id that `sealed` gives. */
  readonly secrets: Map<string, Uint8Array>
  apply(resources: readonly Resource[], more?: Partial<Request>): Promise<Driven>
  uninstall(more?: Partial<Request>): Promise<Driven>
  close(): void
}

/** Where a driver keeps its runs and leases. */
export type DriverMemory = { readonly store: Store; readonly leases: Leases }

export function plainMemory(): DriverMemory {
  return { store: memoryStore(), leases: memoryLeases(() => Date.now()) }
}

export const usualOptions: Request['options'] = {
  isAtomic: true,
  waits: true,
  timeout: 20_000,
  concurrency: 8,
  allowEmpty: true,
  allowMassDelete: true,
  recreateVolumes: false,
  pruneVolumes: false,
}

/** Each application has a name of its own, so that tests on one Podman leave each other alone. */
export function drive(socket: string, name: string): Driver {
  const podman = podmanAt(`unix://${socket}`)
  const target = chartsTarget(podman)
  const memory = plainMemory()
  const secrets = new Map<string, Uint8Array>()
  async function run(resources: readonly Resource[], more: Partial<Request>): Promise<Driven> {
    const vault = vaultOf(new Map(secrets), new Uint8Array([7]))
    const rendered = {
      resources,
      problems: [],
      warnings: [],
      isIncomplete: false,
      version: '1.0.0',
      vault,
    }
    const request: Request = {
      application: { kind: 'chart', namespace: null, name },
      instance: 'test',
      trigger: 'manual',
      isDryRun: false,
      isUninstall: false,
      render: () => rendered,
      revision: 'r1',
      since: 1000,
      source: null,
      holder: 'a test',
      options: usualOptions,
      ...more,
    }
    const parts = { kind: chartsKind, target, clock: systemClock, ...memory }
    const events: Event[] = []
    for await (const event of reconcile(request, parts, new AbortController().signal))
      events.push(event)
    return drivenOf(events)
  }
  return {
    podman,
    target,
    secrets,
    apply: (resources, more = {}) => run(resources, more),
    uninstall: (more = {}) => run([], { isUninstall: true, ...more }),
    close: () => podman.close(),
  }
}

export function drivenOf(events: readonly Event[]): Driven {
  const end = events.at(-1)
  if (end?.type !== 'ended') throw new TypeError(`the last event is ${end?.type}`)
  const plan = events.find((event) => event.type === 'planned')?.plan
  const problems = events.flatMap((event) =>
    'problem' in event && event.problem !== undefined ? event.problem : [],
  )
  const warnings = events.flatMap((event) => (event.type === 'warning' ? event.text : []))
  return { events, end, plan, text: plan === undefined ? '' : planText(plan), problems, warnings }
}

function resource(ref: string, spec: Value, needs: readonly Need[]): Resource {
  return { ref, spec, needs, origin: { file: 'test.yaml', line: 1, column: 1 }, problems: [] }
}

export function need(ref: string, until: Need['until'] = 'exists', renew = false): Need {
  return { ref, until, renew }
}

/** A container that sleeps, unless it is told otherwise. */
export function container(
  name: string,
  spec: Partial<ContainerSpec> = {},
  needs: readonly Need[] = [],
): Resource {
  const whole: ContainerSpec = {
    object: name,
    image: busybox,
    imagePullPolicy: 'missing',
    args: ['sleep', '1000'],
    env: {},
    ports: [],
    mounts: [],
    networks: [],
    secretEnv: {},
    secretFiles: [],
    restartPolicy: 'no',
    stopTimeoutSeconds: 0,
    ...spec,
  }
  return resource(`container/${name}`, whole, needs)
}

export function network(name: string, spec: Partial<NetworkSpec> = {}): Resource {
  return resource(`network/${name}`, { object: name, driver: 'bridge', ...spec }, [])
}

export function volume(name: string, spec: Partial<VolumeSpec> = {}): Resource {
  const from = { kind: 'named', driver: 'local', isEphemeral: false } as const
  return resource(`volume/${name}`, { object: name, from, ...spec }, [])
}

export function secret(
  name: string,
  keys: Readonly<Record<string, Sealed>>,
  more: Partial<SecretSpec> = {},
): Resource {
  return resource(`secret/${name}`, { object: name, type: 'opaque', keys, ...more }, [])
}

export function pod(
  name: string,
  spec: Partial<PodSpec> = {},
  needs: readonly Need[] = [],
): Resource {
  return resource(`pod/${name}`, { object: name, ports: [], networks: [], ...spec }, needs)
}

/** Puts a value into the driver's vault. */
export function sealed(driver: Driver, id: string, value: string): Sealed {
  driver.secrets.set(id, Buffer.from(value))
  return { sealed: id }
}

/** What a command prints inside a container. */
export async function inside(
  driver: Driver,
  name: string,
  command: readonly string[],
): Promise<string> {
  const { signal } = new AbortController()
  const made = await driver.podman.ask('POST', `/containers/${name}/exec`, {
    body: { Cmd: command, AttachStdout: true, AttachStderr: true },
    signal,
    doing: 'exec',
  })
  const id = textOf(recordOf(made.body)['Id'])
  const stream = await driver.podman.stream('POST', `/exec/${id}/start`, {
    body: { Detach: false, Tty: false },
    signal,
    doing: 'exec',
  })
  const parts: Uint8Array[] = []
  for await (const part of stream) parts.push(part)
  return unframed(Buffer.concat(parts))
}

function unframed(bytes: Buffer): string {
  let text = ''
  for (let at = 0; at + 8 <= bytes.length;) {
    const length = bytes.readUInt32BE(at + 4)
    text += bytes.toString('utf8', at + 8, at + 8 + length)
    at += 8 + length
  }
  return text
}
