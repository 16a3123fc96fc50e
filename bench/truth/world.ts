/** One application under the service, with somebody to be alerted, and a clock at what is said of it. */
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { loadKinds } from '#kinds/all.ts'
import { openAlerts } from '#controller/alerts/open-alerts.ts'
import { isUnwell, type AppStatus } from '#model/service.ts'
import { memoryNotes } from '#store/memory.ts'
import { fakeRepository } from '../../test/fake/repository.ts'
import { systemClock } from '../../test/testbed/drive.ts'
import { busybox } from '../../test/testbed/image.ts'
import { serve, stackOf } from '../../test/testbed/serve.ts'
import { webStandIn } from '../../test/testbed/web-stand-in.ts'

export type Kind = 'stack' | 'chart'

export type Measured = {
  readonly said: number
  readonly alerted: number | undefined
  readonly mended: number | undefined
  /** What was said. */
  readonly words: string
}

export type Truth = {
  /** Of its one container. */
  readonly container: string
  readonly network: string
  readonly docker: Docker
  readonly call: (method: 'POST' | 'DELETE', path: string, body?: object) => Promise<unknown>
  readonly inside: (command: string) => Promise<void>
  /** Takes away what makes it end. */
  readonly clear: () => Promise<void>
  /** Another one of its image, command or port, as a commit. */
  readonly commit: (change: { readonly image?: string; readonly port?: number }) => void
  measure(harm: () => Promise<void>, mend?: () => Promise<void>): Promise<Measured>
  close(): Promise<void>
}

const never = new AbortController().signal
const longest = 150_000
const command = 'touch /tmp/well; while sleep 0.1; do test -e /data/end && exit 3; done'

export async function openTruth(
  kind: Kind,
  engine: { readonly socket: string; readonly root: string },
  harm: string,
): Promise<Truth> {
  const name = harm.replaceAll(/[^a-z]/g, '')
  const folder = mkdtempSync(join(engine.root, 'truth-'))
  const docker = dockerAt({ address: `unix://${engine.socket}` })
  const web = await webStandIn()
  const repo = fakeRepository(folder)
  const files = kind === 'stack' ? stackFiles : chartFiles
  repo.commit(files(name, {}))
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
  return {
    container,
    network: kind === 'stack' ? `${name}_back` : `${name}-back`,
    docker,
    call: ask,
    async inside(line) {
      const made = await ask('POST', `/containers/${container}/exec`, { Cmd: ['sh', '-c', line] })
      const { Id: id } = JSON.parse(JSON.stringify(made))
      await ask('POST', `/exec/${id}/start`, { Detach: true })
    },
    async clear() {
      const HostConfig = { Binds: [`${name}_data:/data`], AutoRemove: true }
      const body = { Image: busybox, Cmd: ['rm', '-f', '/data/end'], HostConfig }
      const made = await ask('POST', '/containers/create', body)
      const { Id: id } = JSON.parse(JSON.stringify(made))
      await ask('POST', `/containers/${id}/start`)
    },
    commit(change) {
      repo.commit(files(name, change))
      service.refresh('webhook')
    },
    async measure(harmIt, mendIt) {
      let [said, mended]: (number | undefined)[] = [undefined, undefined]
      let words = ''
      const began = performance.now()
      const end = service.listen((event) => {
        if (event.type !== 'app' || event.status.key !== key) return
        const now = performance.now() - began
        if (!isWell(event.status) && !isOnItsWay(event.status)) {
          said ??= now
          words ||= wordsOf(event.status)
          mended = undefined
        } else if (said !== undefined && isWell(event.status)) mended ??= now
      })
      let alerted: number | undefined
      await harmIt()
      await until(() => said !== undefined)
      if (mendIt !== undefined) {
        await until(() => web.seen.length > 0)
        alerted = performance.now() - began
        await mendIt()
      }
      await until(() => mended !== undefined)
      end()
      return { said: said ?? longest, alerted, mended, words }
    },
    async close() {
      await service.stop()
      await alerts.close()
      await web.close()
      await ask('DELETE', `/containers/${container}`).catch(() => undefined)
      docker.close()
    },
  }
}

function isWell({ state, health }: AppStatus): boolean {
  return state === 'synced' && health.state === 'healthy'
}

/** A run that a commit asked for says nothing of harm. */
function isOnItsWay(status: AppStatus): boolean {
  return status.state === 'syncing' && !isUnwell(status)
}

function wordsOf({ state, reason, health }: AppStatus): string {
  const told = health.state === 'healthy' || health.reason === '' ? reason : health.reason
  return `${state}, ${health.state}: ${told}`.slice(0, 160)
}

async function until(isSo: () => boolean): Promise<void> {
  const began = performance.now()
  while (!isSo() && performance.now() - began < longest) {
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
}

function channelTo(url: string) {
  const about = { name: 'ops', kind: 'webhook', secret: undefined, settings: {} } as const
  return { ...about, url: { text: url } }
}

type Change = { readonly image?: string; readonly port?: number }

function stackFiles(name: string, { image = busybox, port }: Change): Record<string, string> {
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

function chartFiles(name: string, { image = busybox, port }: Change): Record<string, string> {
  const ports = port === undefined ? '' : `  ports: [{ containerPort: 80, hostPort: ${port} }]\n`
  return {
    [`${name}/Chart.yaml`]: `name: ${name}\nversion: 1.0.0\n`,
    [`${name}/values.yaml`]: '{}\n',
    [`${name}/templates/all.yaml`]: `apiVersion: cutepod/v1alpha0
kind: CuteContainer
metadata: { name: ${name} }
spec:
  image: ${image}
  command: ${JSON.stringify(['sh', '-c', command])}
  restartPolicy: Always
  health: { type: exec, command: [sh, -c, "test -e /tmp/well"], intervalSeconds: 1, retries: 1 }
${ports}`,
  }
}
