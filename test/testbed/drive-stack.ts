/** Drives the whole road on a real engine with Compose files, for tests of the stacks. */
import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { inspectContainer } from '#clients/docker/containers.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { execIn } from '#clients/docker/exec.ts'
import { stacksKind, stacksTarget } from '#domains/stacks/domain.ts'
import { renderStack } from '#domains/stacks/render/render.ts'
import type { StackInput, StackRendered } from '#domains/stacks/stack-input.ts'
import { reconcile } from '#engine/reconcile.ts'
import type { Request } from '#engine/request.ts'
import type { ComposeFiles } from '#formats/compose/load/session.ts'
import type { Target } from '#model/domain.ts'
import type { Event } from '#model/event.ts'
import type { JsonRecord } from '#model/json.ts'
import { allowAll } from '#model/policy.ts'
import {
  drivenOf,
  plainMemory,
  systemClock,
  usualOptions,
  type Driven,
  type DriverMemory,
} from './drive.ts'

export type StackDriver = {
  readonly docker: Docker
  readonly target: Target
  readonly folder: string
  readonly project: string
  /** Puts files beside the Compose file. */
  write(files: Readonly<Record<string, string>>): void
  render(yaml: string, how?: Up): StackRendered
  /** Writes the text as compose.yaml and runs it. */
  up(yaml: string, how?: Up): Promise<Driven>
  down(more?: Partial<Request>): Promise<Driven>
  containers(): Promise<readonly ListedContainer[]>
  /** Name to id. */
  ids(): Promise<Readonly<Record<string, string>>>
  inspect(name: string): Promise<JsonRecord>
  /** What a command prints in a container. */
  inside(name: string, ...command: readonly string[]): Promise<string>
  /** What a host answers to a container. Asked again for a while: name servers of networks are slow to hear of changes. */
  fetched(name: string, host: string): Promise<string>
  close(): void
}

export type Up = {
  readonly input?: Partial<StackInput>
  readonly load?: Partial<StackInput['load']>
  readonly request?: Partial<Request>
  readonly options?: Partial<Request['options']>
  readonly signal?: AbortSignal
}

const { signal: never } = new AbortController()

/** `silence`: how long a call may take, ms, where a test makes calls hang. */
export function driveStack(
  socket: string,
  root: string,
  project: string,
  silence?: number,
  memory: DriverMemory = plainMemory(),
): StackDriver {
  const docker = patient(dockerAt({ address: `unix://${socket}` }), silence)
  const target = stacksTarget(docker)
  const folder = join(root, `stack-${project}`)
  mkdirSync(folder, { recursive: true })
  const parts = {
    kind: stacksKind,
    target,
    clock: systemClock,
    store: memory.store,
    leases: memory.leases,
  }

  function write(files: Readonly<Record<string, string>>): void {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(folder, name)), { recursive: true })
      writeFileSync(join(folder, name), text)
    }
  }
  function render(yaml: string, how: Up = {}): StackRendered {
    write({ 'compose.yaml': yaml })
    return renderStack({
      load: {
        files: diskFiles,
        workingDirectory: folder,
        configFiles: [],
        envFiles: [],
        environment: {},
        home: '/root',
        profiles: [],
        interpolate: true,
        projectName: project,
        ...how.load,
      },
      policy: allowAll,
      revision: 'r1',
      seed: new Uint8Array([7]),
      ...how.input,
    })
  }
  async function run(request: Partial<Request>, how: Up): Promise<Driven> {
    const whole: Request = {
      application: { kind: 'stack', namespace: null, name: project },
      instance: 'test',
      trigger: 'manual',
      isDryRun: false,
      isUninstall: false,
      render: () => {
        throw new Error('nothing to render')
      },
      revision: 'r1',
      since: 1000,
      source: null,
      holder: 'a test',
      options: { ...usualOptions, ...how.options },
      ...how.request,
      ...request,
    }
    const events: Event[] = []
    for await (const event of reconcile(whole, parts, how.signal ?? never)) events.push(event)
    return drivenOf(events)
  }
  async function containers(): Promise<readonly ListedContainer[]> {
    return listContainers(docker, [`com.docker.compose.project=${project}`], never)
  }
  async function inside(name: string, ...command: readonly string[]): Promise<string> {
    const lines: string[] = []
    await execIn(docker, name, { command, report: (line) => lines.push(line) }, never)
    return lines.join('\n')
  }
  return {
    docker,
    target,
    folder,
    project,
    write,
    render,
    up: (yaml, how = {}) => run({ render: () => render(yaml, how) }, how),
    down: (request = {}) => run({ ...request, isUninstall: true }, {}),
    containers,
    async ids() {
      const found = await containers()
      return Object.fromEntries(
        found.map(({ name, id }) => [name, id] as const).toSorted(([a], [b]) => (a < b ? -1 : 1)),
      )
    },
    async inspect(name) {
      const found = await inspectContainer(docker, name, never)
      if (found === undefined) throw new Error(`no container ${name}`)
      return found
    },
    inside,
    async fetched(name, host) {
      let answer = ''
      for (let tries = 0; tries < 5; tries += 1) {
        answer = await inside(name, 'wget', '-qO-', `http://${host}`)
        if (!answer.startsWith('wget:')) break
      }
      return answer
    },
    close() {
      docker.close()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function patient(docker: Docker, silence: number | undefined): Docker {
  if (silence === undefined) return docker
  return {
    ...docker,
    ask: (method, path, ask) => docker.ask(method, path, { ...ask, silence }),
  }
}

export const diskFiles: ComposeFiles = {
  read(path) {
    try {
      return readFileSync(path)
    } catch {
      return undefined
    }
  },
  isDirectory: (path) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === true,
}
