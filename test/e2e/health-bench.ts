/** Both engines with the service on them, for tests of health: what is declared, what is done to it, and how it is told to be. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { loadKinds } from '#kinds/all.ts'
import type { RemedyPace } from '#controller/decide/remedy.ts'
import type { AppPolicy } from '#model/declaration.ts'
import type { AppStatus } from '#model/service.ts'
import { memoryNotes, memoryStore } from '#store/memory.ts'
import { fakeRepository, type FakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, type Served } from '../testbed/serve.ts'

export type HealthBench = {
  readonly t: TestContext
  readonly engine: 'Docker' | 'Podman'
  readonly docker: Docker
  /** Puts an image under a name, in place of the one that had it. */
  readonly addImage: (name: string, mark: string) => Promise<string>
  /** A stack, or a chart where the files have one, under the service. */
  readonly served: (
    name: string,
    files: Readonly<Record<string, string>>,
    policy?: Partial<AppPolicy>,
    path?: string,
  ) => Promise<Application>
  /** Of a container; the request's method is POST unless told. */
  readonly call: (path: string, method?: 'POST' | 'DELETE') => Promise<void>
  /** Runs in a container, as somebody with a shell would. */
  readonly inside: (container: string, command: string) => Promise<void>
}

export type Application = {
  readonly service: () => Served
  readonly repo: FakeRepository
  readonly restart: (between: () => Promise<void>) => Promise<void>
  readonly until: (isSo: (status: AppStatus) => boolean) => Promise<AppStatus>
}

const never = new AbortController().signal
/** Everything that is waited for, shortened. */
export const quickPace: RemedyPace = { pauses: [0, 500], grace: 1_000, proof: 20_000 }

export function isWell({ state, health }: AppStatus): boolean {
  return state === 'synced' && health.state === 'healthy'
}

export function onBothEngines(title: string, suite: (bench: HealthBench) => Promise<void>): void {
  for (const [engine, skip, start] of bothEngines) {
    void test(`${title} on ${engine}`, { skip }, async (t) => {
      const daemon = await start()
      const docker = dockerAt({ address: `unix://${daemon.socket}` })
      t.after(async () => {
        docker.close()
        await daemon.stop()
      })
      await suite({
        t,
        engine,
        docker,
        addImage: (name, mark) => daemon.addImage(name, mark),
        async served(name, files, policy = {}, path = name) {
          const folder = mkdtempSync(join(daemon.root, 'service-'))
          const repo = fakeRepository(folder)
          repo.commit(files)
          const kind = `${name}/Chart.yaml` in files ? 'chart' : 'stack'
          const application = { kind, namespace: null, name } as const
          const declared = stackOf(name, `unix://${daemon.socket}`, { application, policy, path })
          const kept = { store: memoryStore(), notes: memoryNotes(), instance: `test-${name}` }
          const begin = async (): Promise<Served> => {
            const service = serve({
              ...kept,
              folder,
              repo,
              kinds: await loadKinds(),
              helpPace: quickPace,
              declarations: { apps: [declared] },
            })
            await service.start()
            return service
          }
          let service = await begin()
          t.after(() => service.stop())
          return {
            service: () => service,
            repo,
            async restart(between) {
              await service.stop()
              await between()
              service = await begin()
            },
            until: (isSo) => service.until(`${kind}:${name}`, isSo),
          }
        },
        async call(path, method = 'POST') {
          const query = method === 'DELETE' ? { force: true } : {}
          await docker.ask(method, path, { signal: never, doing: path, query })
        },
        async inside(container, command) {
          const asked = { signal: never, doing: `could not run ${command}` }
          const body = { Cmd: ['sh', '-c', command] }
          const made = await docker.ask('POST', `/containers/${container}/exec`, { ...asked, body })
          const { Id: id } = JSON.parse(JSON.stringify(made.body))
          await docker.ask('POST', `/exec/${id}/start`, { ...asked, body: { Detach: true } })
        },
      })
    })
  }
}

/** Well until somebody takes the file away, and well again when it starts anew. */
export function checkedStack(greeting = 'a'): string {
  return `services:
  web:
    image: ${busybox}
    command: sh -c "touch /tmp/well; echo the web began; sleep 1000"
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
    restart: always
    healthcheck: { test: "test -e /tmp/well", interval: 1s, timeout: 2s, retries: 2 }
`
}

/** Well when it starts, and not for long. */
export const sickeningStack = `services:
  web:
    image: ${busybox}
    command: sh -c "touch /tmp/well; echo out of luck; sleep 4; rm /tmp/well; sleep 1000"
    stop_grace_period: 0s
    restart: always
    healthcheck: { test: "test -e /tmp/well", interval: 1s, timeout: 2s, retries: 2 }
`

/** Ends whenever the file is there; and one that ends by itself, well. */
export const endingStack = `services:
  web:
    image: ${busybox}
    command: sh -c "echo the web began; while sleep 0.1; do test -e /data/end && exit 3; done"
    stop_grace_period: 0s
    restart: always
    volumes: [data:/data]
  once:
    image: ${busybox}
    command: "true"
    restart: "no"
volumes: { data: {} }
`

/** Takes more memory than it may, from the moment at which the file is there. */
export const greedyStack = `services:
  web:
    image: ${busybox}
    command: sh -c "while sleep 0.1; do test -e /data/grow && exec tail /dev/zero; done"
    stop_grace_period: 0s
    restart: "no"
    mem_limit: 16m
    memswap_limit: 16m
    volumes: [data:/data]
volumes: { data: {} }
`

export const checkedChart = {
  'site/Chart.yaml': 'name: site\nversion: 1.0.0\n',
  'site/values.yaml': '{}\n',
  'site/templates/web.yaml': `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: web }
spec:
  image: ${busybox}
  command: [sh, -c, "touch /tmp/well; echo the web began; sleep 1000"]
  restartPolicy: Always
  health: { type: exec, command: [sh, -c, "test -e /tmp/well"], intervalSeconds: 1, retries: 2 }
`,
}
