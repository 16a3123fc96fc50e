/** A real Docker, a repository in memory and the service between them. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { after, test, type TestContext } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers, type ListedContainer } from '#clients/docker/container-list.ts'
import { fakeRepository, type FakeRepository } from '../fake/repository.ts'
import { requiredDocker, startDocker, type TestDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'
import { serve, type Served, type ServeOptions } from '../testbed/serve.ts'

export type ServiceBench = {
  readonly t: TestContext
  readonly engine: TestDocker
  readonly docker: Docker
  /** Stands between the service and the engine. */
  readonly proxy: Proxy
  /** The proxy's, as declarations name it. */
  readonly target: string
  readonly repository: () => FakeRepository
  /** Stopped when the test ends. */
  readonly served: (t: TestContext, options: Omit<ServeOptions, 'folder'>) => Served
  readonly containers: (project: string) => Promise<readonly ListedContainer[]>
  /** Ids of a project's containers by service. */
  readonly ids: (project: string) => Promise<Readonly<Record<string, string>>>
}

const never = new AbortController().signal

export function onDocker(suite: (bench: ServiceBench) => Promise<void>): void {
  void test('the service on Docker', { skip: requiredDocker() }, async (t) => {
    const engine = await startDocker()
    const proxy = await startProxy(engine.socket)
    const docker = dockerAt({ address: `unix://${engine.socket}` })
    after(async () => {
      docker.close()
      await proxy.stop()
      await engine.stop()
    })
    await engine.addImage()
    // an instance knows by their marks what earlier tests left on the engine: each test is one of its own
    const instances = new Map<TestContext, string>()
    const folder = (): string => mkdtempSync(join(engine.root, 'service-'))
    async function containers(project: string): Promise<readonly ListedContainer[]> {
      return listContainers(docker, [`com.docker.compose.project=${project}`], never)
    }
    await suite({
      t,
      engine,
      docker,
      proxy,
      target: `unix://${proxy.socket}`,
      repository: () => fakeRepository(folder()),
      served(own, options) {
        const instance = instances.get(own) ?? `test-${instances.size}`
        instances.set(own, instance)
        const service = serve({ folder: folder(), instance, ...options })
        own.after(() => service.stop())
        return service
      },
      containers,
      async ids(project) {
        const all = await containers(project)
        return Object.fromEntries(
          all.map(({ id, labels }) => [labels['com.docker.compose.service'] ?? '', id]),
        )
      },
    })
  })
}

/** A stack with these services, each told apart by what it greets with. */
export function stackText(services: Readonly<Record<string, string>>, more = ''): string {
  const lines = Object.entries(services).map(
    ([name, greeting]) => `  ${name}:
    image: ${busybox}
    command: sleep 1000
    environment: { GREETING: ${greeting} }
    stop_grace_period: 0s
    restart: "no"
${more}`,
  )
  return `services:\n${lines.join('\n')}\n`
}
