/** Health in the service: live from the engine's events, for stacks on Docker and Podman and for charts on Podman. */
import assert from 'node:assert/strict'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { loadKinds } from '#kinds/all.ts'
import type { AppStatus } from '#model/service.ts'
import { recordOf } from '#server/shapes/origin.ts'
import { fakeRepository } from '../fake/repository.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { busybox } from '../testbed/image.ts'
import { serve, stackOf, type Served } from '../testbed/serve.ts'

const never = new AbortController().signal

export function isWell({ state, health }: AppStatus): boolean {
  return state === 'synced' && health.state === 'healthy'
}

async function call(docker: Docker, path: string, method: 'POST' | 'DELETE' = 'POST') {
  await docker.ask(method, path, { signal: never, doing: 'test', query: { force: true } })
}

/** Runs in the container, as its neighbour would. */
async function inside(docker: Docker, container: string, command: string): Promise<void> {
  const body = { Cmd: ['sh', '-c', command] }
  const made = await docker.ask('POST', `/containers/${container}/exec`, {
    body,
    signal: never,
    doing: 'test',
  })
  const id = JSON.parse(JSON.stringify(made.body)).Id
  await docker.ask('POST', `/exec/${id}/start`, {
    body: { Detach: true },
    signal: never,
    doing: 'test',
  })
}

/** Well until somebody takes the file away. */
const checked = `services:
  web:
    image: ${busybox}
    command: sh -c "touch /tmp/well; echo the web began; sleep 1000"
    stop_grace_period: 0s
    restart: always
    healthcheck: { test: "test -e /tmp/well", interval: 1s, timeout: 2s, retries: 2 }
`
/** Ends whenever the file is there. */
const ending = `services:
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
const chart = {
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

for (const [name, skip, start] of bothEngines) {
  void test(`health in the service on ${name}`, { skip }, async (t) => {
    const engine = await start()
    const docker = dockerAt({ address: `unix://${engine.socket}` })
    t.after(async () => {
      docker.close()
      await engine.stop()
    })

    async function served(
      app: string,
      files: Readonly<Record<string, string>>,
      policy: Parameters<typeof stackOf>[2] = {},
    ): Promise<Served> {
      const folder = mkdtempSync(join(engine.root, 'service-'))
      const repo = fakeRepository(folder)
      repo.commit(files)
      const isChart = Object.keys(files).some((path) => path.endsWith('Chart.yaml'))
      const declared = stackOf(app, `unix://${engine.socket}`, {
        // what is not well is only told: how it is helped is for other tests
        ...policy,
        ...(isChart ? { application: { kind: 'chart', namespace: null, name: app } as const } : {}),
      })
      const service = serve({
        folder,
        repo,
        instance: `test-${app}`,
        kinds: await loadKinds(),
        declarations: { apps: [declared] },
      })
      t.after(() => service.stop())
      await service.start()
      return service
    }

    await t.test('a failing health check is said, with its reason, and its end', async (own) => {
      const service = await served('sick', { 'sick/compose.yaml': checked }, alertOnly)
      await service.until('stack:sick', isWell)
      const began = Date.now()
      await inside(docker, 'sick-web-1', 'rm /tmp/well')
      const sick = await service.until('stack:sick', ({ health }) => health.state === 'failed')
      own.diagnostic(`said after ${Date.now() - began} ms`)
      assert.equal(sick.sync.state, 'synced')
      assert.match(sick.health.reason, /container\/web-1: its health check failed/)
      assert.ok(sick.health.since >= began)
      const record = recordOf(sick, { deployDir: '' })
      assert.equal(record.status, 'failed')
      assert.match(record.lastSyncError ?? '', /its health check failed/)
      const told = await service.until(
        'stack:sick',
        ({ health }) => (health.details ?? []).length > 0,
      )
      assert.deepEqual(told.health.details, ['the web began'])
      const [web] = (await service.resources('stack:sick', never)).filter(
        ({ ref }) => ref === 'container/web-1',
      )
      assert.equal(web?.health?.state, 'failed')
      assert.equal(web?.health?.restartCount, 0)
      assert.match(service.metrics.text(), /tend_app_health\{app="stack:sick",state="failed"\} 1/)
      await inside(docker, 'sick-web-1', 'touch /tmp/well')
      await service.until('stack:sick', isWell)
    })

    await t.test('a crash loop is one state with a count, and a one-shot is well', async (own) => {
      const service = await served('loop', { 'loop/compose.yaml': ending }, alertOnly)
      await service.until('stack:loop', isWell)
      const states: string[] = []
      service.listen((event) => {
        if (event.type === 'app') states.push(event.status.health.state)
      })
      await inside(docker, 'loop-web-1', 'touch /data/end')
      const began = Date.now()
      const looping = await service.until('stack:loop', ({ health }) => health.state === 'degraded')
      own.diagnostic(`said after ${Date.now() - began} ms`)
      assert.match(
        looping.health.reason,
        /container\/web-1: it ended with exit code 3, again and again \(\d+ times\)/,
      )
      assert.equal(looping.health.exitCode, 3)
      const more = await service.until(
        'stack:loop',
        ({ health }) => (health.restartCount ?? 0) >= 5,
      )
      assert.equal(more.health.state, 'degraded')
      const first = states.indexOf('degraded')
      assert.deepEqual(new Set(states.slice(first)), new Set(['degraded']))
      assert.deepEqual(new Set(states.slice(0, first)).has('failed'), false)
      const all = await service.resources('stack:loop', never)
      const once = all.find(({ ref }) => ref === 'container/once-1')
      assert.equal(once?.health?.state, 'healthy')
      assert.equal(once?.health?.exitCode, 0)
    })

    await t.test('one that was killed is said at once', async (own) => {
      const service = await served('kill', { 'kill/compose.yaml': checked })
      await service.until('stack:kill', isWell)
      const began = Date.now()
      await call(docker, '/containers/kill-web-1/kill')
      await service.until(
        'stack:kill',
        ({ health, state }) => health.state !== 'healthy' || state !== 'synced',
      )
      own.diagnostic(`said after ${Date.now() - began} ms`)
      await service.until('stack:kill', isWell)
    })

    if (name !== 'Podman') return
    await t.test('a failing health check of a chart is said, and its end', async (own) => {
      const service = await served('site', chart, alertOnly)
      await service.until('chart:site', isWell)
      const began = Date.now()
      await inside(docker, 'web', 'rm /tmp/well')
      const sick = await service.until('chart:site', ({ health }) => health.state === 'failed')
      own.diagnostic(`said after ${Date.now() - began} ms`)
      assert.match(sick.health.reason, /container\/web: its health check failed/)
      await inside(docker, 'web', 'touch /tmp/well')
      await service.until('chart:site', isWell)
    })
  })
}

const alertOnly = {} as const
