/** One stack or chart under the service, with somebody to be alerted. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { loadKinds } from '#kinds/all.ts'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeRepository } from '../../test/fake/repository.ts'
import { systemClock } from '../../test/testbed/drive.ts'
import { busybox } from '../../test/testbed/image.ts'
import { serve, stackOf } from '../../test/testbed/serve.ts'
import { webStandIn } from '../../test/testbed/web-stand-in.ts'
import type { TruthEngine } from './engines.ts'
import { boundTo, type Harm } from './harms.ts'
import { isWell, measure, type Measured } from './measure.ts'

export type Kind = 'stack' | 'chart'

export type Truth = {
  /** Of its one container. */
  readonly container: string
  readonly network: string
  /** The name of its image, which nothing else uses. */
  readonly image: string
  readonly engine: TruthEngine
  readonly docker: Docker
  readonly call: (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>
  readonly inside: (command: string) => Promise<void>
  /** Takes away what makes it end. */
  readonly clear: () => Promise<void>
  /** Another one of its image, command or port, as a commit. */
  readonly commit: (change: Change) => void
  measure(harm: Harm<Truth>): Promise<Measured>
  close(): Promise<void>
}

const never = new AbortController().signal
const command = 'touch /tmp/well; while sleep 0.1; do test -e /data/end && exit 3; done'

export async function openTruth(kind: Kind, engine: TruthEngine, harm: string): Promise<Truth> {
  const name = harm.replaceAll(/[^a-z]/g, '')
  const folder = mkdtempSync(join(engine.root, 'truth-'))
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  const web = await webStandIn()
  const repo = fakeRepository(folder)
  const files = kind === 'stack' ? stackFiles : chartFiles
  const image = `localhost/truth/${name}:1`
  await engine.addImage(image, 'first')
  repo.commit(files(name, image, {}))
  const application = { kind, namespace: null, name } as const
  const service = serve({
    folder,
    repo,
    instance: `truth-${name}`,
    kinds: await loadKinds(),
    declarations: { apps: [stackOf(name, `unix://${engine.socket}`, { application })] },
  })
  const alerts = await openAlerts({
    instance: 'truth',
    declared: () => ({
      alerts: { failures: 1, after: 600_000, channels: [channelTo(web.url)] },
      commitStatus: [],
    }),
    notes: memoryNotes(),
    clock: systemClock,
    readSecret: async () => '',
    warn: () => undefined,
  })
  service.listen((event) => alerts.see(event))
  await service.start()
  const key = `${kind}:${name}`
  await service.until(key, isWell)

  async function ask(method: 'POST' | 'DELETE', path: string, body?: object): Promise<unknown> {
    const query = method === 'DELETE' ? { force: true } : {}
    const text = body === undefined ? {} : { body: JSON.parse(JSON.stringify(body)) }
    return (await docker.ask(method, path, { signal: never, doing: path, query, ...text })).body
  }

  const container = kind === 'stack' ? `${name}-web-1` : name
  const truth: Truth = {
    container,
    network: kind === 'stack' ? `${name}_back` : `${name}-back`,
    image,
    engine,
    docker,
    call: ask,
    async inside(line) {
      const made = await ask('POST', `/containers/${container}/exec`, { Cmd: ['sh', '-c', line] })
      const { Id: id } = JSON.parse(JSON.stringify(made))
      await ask('POST', `/exec/${id}/start`, { Detach: true })
    },
    async clear() {
      const volume = kind === 'stack' ? `${name}_data` : `${name}-data`
      const HostConfig = { Binds: [`${volume}:/data`], AutoRemove: true }
      const body = { Image: busybox, Cmd: ['rm', '-f', '/data/end'], HostConfig }
      const made = await ask('POST', '/containers/create', body)
      const { Id: id } = JSON.parse(JSON.stringify(made))
      await ask('POST', `/containers/${id}/start`)
    },
    commit(change) {
      repo.commit(files(name, image, change))
      service.refresh('webhook')
    },
    measure(one) {
      return measure({
        ...boundTo(one, truth),
        listen: (hear) =>
          service.listen((event) => {
            if (event.type === 'app' && event.status.key === key) hear(event.status)
          }),
        alerts: () => web.seen.length,
      })
    },
    async close() {
      await service.stop()
      await alerts.close()
      await web.close()
      await ask('DELETE', `/containers/${container}`).catch(() => undefined)
      docker.close()
    },
  }
  return truth
}

function channelTo(url: string) {
  const about = { name: 'ops', kind: 'webhook', secret: undefined, settings: {} } as const
  return { ...about, url: { text: url } }
}

type Change = { readonly image?: string; readonly port?: number }

function stackFiles(name: string, usual: string, change: Change): Record<string, string> {
  const { image = usual, port } = change
  const text = `services:
  web:
    image: ${image}
    command: ${JSON.stringify(['sh', '-c', command])}
    restart: always
    stop_grace_period: 0s
    networks: [back]
    volumes: [data:/data]
    healthcheck: { test: test -e /tmp/well, interval: 1s, timeout: 2s, retries: 1 }
${port === undefined ? '' : `    ports: ["${port}:80"]\n`}volumes: { data: {} }
networks: { back: {} }
`
  return { [`${name}/compose.yaml`]: text }
}

function chartFiles(name: string, usual: string, change: Change): Record<string, string> {
  const { image = usual, port } = change
  const ports = port === undefined ? '' : `  ports: [{ containerPort: 80, hostPort: ${port} }]\n`
  return {
    [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
    [`${name}/values.yaml`]: '{}\n',
    [`${name}/templates/all.yaml`]: `apiVersion: cutepod/v1alpha0
kind: CuteNetwork
metadata: { name: ${name}-back }
---
apiVersion: cutepod/v1alpha0
kind: CuteVolume
metadata: { name: ${name}-data }
---
apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: ${name} }
spec:
  image: ${image}
  command: ${JSON.stringify(['sh', '-c', command])}
  restartPolicy: Always
  stopTimeoutSeconds: 0
  networks: [${name}-back]
  volumes: [{ name: ${name}-data, mountPath: /data }]
  health: { type: exec, command: [sh, -c, "test -e /tmp/well"], intervalSeconds: 1, retries: 1 }
${ports}`,
  }
}
