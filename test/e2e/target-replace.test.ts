/** Replacing a container: what can't start costs no request, what does not get well goes back, what may stand side by side does. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  createContainer,
  listContainers,
  removeContainer,
  renameContainer,
  startContainer,
  stopContainer,
} from '#clients/podman/containers.ts'
import { disconnectContainer } from '#clients/podman/networks.ts'
import type { ContainerSpec } from '#domains/charts/spec.ts'
import {
  container,
  drive,
  inside,
  need,
  network,
  usualOptions,
  volume,
  type Driver,
} from '../testbed/drive.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('replacing', { skip }, async (t) => {
  let service: TestPodman
  let driver: Driver
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
  })
  after(() => service.stop())
  t.afterEach(async () => {
    await driver.uninstall({ options: { ...usualOptions, pruneVolumes: true } })
    driver.close()
    assert.deepEqual(await names(), [])
  })
  const names = async () =>
    (await listContainers(driver.podman, signal)).map(({ name }) => name).toSorted()
  const idOf = async (name: string) =>
    (await listContainers(driver.podman, signal)).find((found) => found.name === name)!.id

  const serving = (port: number, page: string, more: Partial<ContainerSpec> = {}) =>
    container('web', {
      args: ['sh', '-c', `echo ${page} > /www/index.html; exec httpd -f -h /www`],
      ports: [{ containerPort: 80, hostPort: port, protocol: 'tcp' }],
      ...more,
    })

  /** Requests without a pause until `work` is done; gives what was answered, and how many were not. */
  async function requesting(port: number, work: () => Promise<unknown>) {
    let isOver = false
    let failed = 0
    const pages = new Set<string>()
    const loop = (async () => {
      while (!isOver) {
        try {
          const answer = await fetch(`http://127.0.0.1:${port}/`, {
            signal: AbortSignal.timeout(2000),
          })
          pages.add((await answer.text()).trim())
        } catch {
          failed += 1
        }
        await sleep(5)
      }
    })()
    try {
      await work()
    } finally {
      isOver = true
      await loop
    }
    return { failed, pages: [...pages] }
  }

  const impossible: readonly (readonly [string, Partial<ContainerSpec>])[] = [
    ['a command that is not there', { command: ['/bin/nothing'] }],
    ['an image that is not there', { image: 'localhost/none:1', imagePullPolicy: 'never' }],
    [
      'a path that is not there',
      {
        mounts: [
          {
            path: '/x',
            readOnly: true,
            from: { kind: 'host', path: '/nowhere/at/all', type: 'Directory' },
          },
        ],
      },
    ],
  ]
  for (const [what, spec] of impossible) {
    await t.test(`${what} costs not one request`, async () => {
      driver = drive(service.socket, 'impossible')
      const port = await freePort()
      assert.equal((await driver.apply([serving(port, 'old')])).end.outcome, 'succeeded')
      const id = await idOf('web')
      const { failed, pages } = await requesting(port, async () => {
        const { end } = await driver.apply([serving(port, 'new', spec)])
        assert.deepEqual([end.outcome, end.isRolledBack], ['failed', false])
      })
      assert.deepEqual([failed, pages, await idOf('web'), await names()], [0, ['old'], id, ['web']])
    })
  }

  await t.test('one that never gets well gives way to the old one', async () => {
    driver = drive(service.socket, 'unwell')
    const port = await freePort()
    const health = {
      test: ['CMD', 'false'],
      intervalSeconds: 1,
      timeoutSeconds: 1,
      startPeriodSeconds: 0,
      retries: 1,
    }
    const good = { ...health, test: ['CMD', 'true'], timeoutSeconds: 30 }
    assert.equal(
      (await driver.apply([serving(port, 'old', { health: good })])).end.outcome,
      'succeeded',
    )
    const id = await idOf('web')
    const { end, problems, events } = await driver.apply([serving(port, 'new', { health })])
    assert.deepEqual([end.outcome, end.isRolledBack], ['failed', true])
    assert.match(problems[0]!.message, /health check failed/)
    assert.ok(
      events.some(
        (event) => event.type === 'group' && event.phase === 'undone' && (event.gap ?? 0) > 0,
      ),
    )
    assert.deepEqual([await idOf('web'), await names()], [id, ['web']])
    assert.equal(await page(port), 'old')
    assert.equal(
      (await driver.apply([serving(port, 'old', { health: good })])).end.summary.unchanged,
      1,
    )
  })

  await t.test('one that ends at once is told with its last words', async () => {
    driver = drive(service.socket, 'ending')
    const { end, problems } = await driver.apply([
      container('short', { args: ['sh', '-c', 'echo no config; exit 3'] }),
    ])
    assert.equal(end.outcome, 'failed')
    assert.match(problems[0]!.message, /exit code 3/)
    assert.deepEqual(problems[0]!.details, ['no config'])
  })

  await t.test('an http check says what was answered', async () => {
    driver = drive(service.socket, 'asking')
    const health = {
      test: ['CMD-SHELL', 'wget -qO- http://localhost/none'],
      http: { path: '/none', port: 80 },
      intervalSeconds: 1,
      timeoutSeconds: 20,
      startPeriodSeconds: 0,
      // the first checks may come before the server listens
      retries: 5,
    }
    const { problems } = await driver.apply([serving(await freePort(), 'x', { health })])
    assert.match(problems[0]!.message, /GET \/none answered 404/)
  })

  await t.test(
    'side by side where nothing is shared: nobody is sent to one that is not well',
    async () => {
      driver = drive(service.socket, 'beside')
      const resources = (page: string, check: string) => [
        network('inner'),
        container(
          'backend',
          {
            args: ['sh', '-c', `echo ${page} > /www/index.html; exec httpd -f -h /www`],
            networks: [{ network: 'inner', aliases: ['backend'] }],
            health: {
              test: ['CMD', check],
              intervalSeconds: 1,
              timeoutSeconds: 1,
              startPeriodSeconds: 0,
              retries: 1,
            },
          },
          [need('network/inner')],
        ),
        container('client', { networks: [{ network: 'inner', aliases: ['client'] }] }, [
          need('network/inner'),
        ]),
      ]
      const asked = (times: number) =>
        inside(driver, 'client', [
          'sh',
          '-c',
          `i=0; while [ $i -lt ${times} ]; do wget -qO- http://backend/ || echo lost; i=$((i+1)); done`,
        ])
      assert.equal((await driver.apply(resources('old', 'true'))).end.outcome, 'succeeded')
      const id = await idOf('backend')
      const meanwhile = asked(15)
      const failed = await driver.apply(resources('bad', 'false'))
      assert.deepEqual([failed.end.outcome, failed.end.isRolledBack], ['failed', true])
      assert.doesNotMatch(failed.text, /make container.stop/)
      // a name server under load may owe an answer; what counts is who gave one
      const answers = (await meanwhile).split('\n').filter((line) => /^(old|bad|new)$/.test(line))
      assert.ok(
        answers.length > 0 && answers.every((line) => line === 'old'),
        answers.join(' ') || 'nobody answered',
      )
      assert.deepEqual([await idOf('backend'), await names()], [id, ['backend', 'client']])
      const { end, text } = await driver.apply(resources('new', 'true'))
      assert.equal(end.outcome, 'succeeded', text)
      assert.match(await asked(8), /^new$/m)
      assert.deepEqual(await names(), ['backend', 'client'])
      const again = await driver.apply(resources('new', 'true'))
      assert.equal(again.end.summary.unchanged, 3, again.text)
    },
  )

  await t.test('two never open one volume', async () => {
    driver = drive(service.socket, 'volumes')
    const mount = {
      path: '/data',
      readOnly: false,
      from: { kind: 'named', volume: 'data' },
    } as const
    const resources = (page: string) => [
      network('inner'),
      volume('data'),
      container(
        'db',
        {
          args: [
            'sh',
            '-c',
            `test -e /data/lock && echo two at once >> /data/log; touch /data/lock; trap 'rm /data/lock; exit 0' TERM; echo ${page} >> /data/log; while true; do sleep 0.02; done`,
          ],
          mounts: [mount],
          networks: [{ network: 'inner', aliases: ['db'] }],
          stopTimeoutSeconds: 5,
        },
        [need('network/inner'), need('volume/data', 'exists', true)],
      ),
    ]
    await driver.apply(resources('one'))
    const { end, text } = await driver.apply(resources('two'))
    assert.equal(end.outcome, 'succeeded', text)
    assert.equal(await inside(driver, 'db', ['cat', '/data/log']), 'one\ntwo\n')
  })

  await t.test('what a killed run left is put in order', async () => {
    driver = drive(service.socket, 'killed')
    const port = await freePort()
    await driver.apply([serving(port, 'old')])
    const { podman } = driver
    const fresh = async () => drive(service.socket, 'killed')
    // killed after the old one was set aside, before the new one took its place
    await stopContainer(podman, 'web', 0, signal)
    await renameContainer(podman, 'web', 'web-prev-000000', signal)
    const second = await (await fresh()).apply([serving(port, 'old')])
    assert.equal(second.end.outcome, 'succeeded', second.text)
    assert.deepEqual(await names(), ['web'])
    // killed when a half-made new one stood beside it
    const web = (await listContainers(podman, signal)).find(({ name }) => name === 'web')
    const { labels } = web!
    await createContainer(podman, { name: 'web-next-000000', image: busybox, labels }, signal)
    const third = await driver.apply([serving(port, 'newer')])
    assert.equal(third.end.outcome, 'succeeded', third.text)
    assert.deepEqual(await names(), ['web'])
    // killed at the very end: the old one is still kept
    await createContainer(podman, { name: 'web-prev-000000', image: busybox, labels }, signal)
    const fourth = await driver.apply([serving(port, 'newer')])
    assert.match(fourth.text, /left something behind/)
    assert.deepEqual(await names(), ['web'])
    assert.equal((await driver.apply([serving(port, 'newer')])).end.summary.unchanged, 1)
  })

  await t.test('drift: gone, renamed, off its network, another image under its name', async () => {
    driver = drive(service.socket, 'drift')
    const { podman } = driver
    await addImage(service.socket, 'localhost/moving:1', 'one')
    const resources = [
      network('net'),
      container(
        'a',
        { image: 'localhost/moving:1', networks: [{ network: 'net', aliases: ['a'] }] },
        [need('network/net')],
      ),
    ]
    await driver.apply(resources)
    await removeContainer(podman, 'a', 0, signal)
    assert.match((await driver.apply(resources)).text, /create container\/a/)
    await renameContainer(podman, 'a', 'b', signal)
    assert.match((await driver.apply(resources)).text, /update container\/a: it is called b/)
    assert.deepEqual(await names(), ['a'])
    await disconnectContainer(podman, 'net', 'a', signal)
    assert.match(
      (await driver.apply(resources)).text,
      /update container\/a: it is not on network net/,
    )
    await addImage(service.socket, 'localhost/moving:1', 'two')
    const moved = await driver.apply(resources)
    assert.match(moved.text, /replace container\/a: localhost\/moving:1 is another image now/)
    assert.equal(await inside(driver, 'a', ['cat', '/mark']), 'two\n')
    assert.equal((await driver.apply(resources)).end.summary.unchanged, 2)
  })

  await t.test('a job that ended well is no drift, one that failed is', async () => {
    driver = drive(service.socket, 'jobs')
    const resources = [container('job', { args: ['true'] })]
    assert.equal((await driver.apply(resources)).end.outcome, 'succeeded')
    await sleep(100)
    assert.equal((await driver.apply(resources)).end.summary.unchanged, 1)
  })

  await t.test(
    'who needs a job completed waits until it is, and is held back when it fails',
    async () => {
      driver = drive(service.socket, 'needing')
      const mount = {
        path: '/data',
        readOnly: false,
        from: { kind: 'named', volume: 'data' },
      } as const
      const resources = (job: string) => [
        volume('data', { from: { kind: 'named', driver: 'local', isEphemeral: true } }),
        container('job', { args: ['sh', '-c', job], mounts: [mount] }, [
          need('volume/data', 'exists', true),
        ]),
        container(
          'app',
          { args: ['sh', '-c', 'cp /data/done /copy; sleep 1000'], mounts: [mount] },
          [need('volume/data', 'exists', true), need('container/job', 'completed')],
        ),
      ]
      const failed = await driver.apply(resources('sleep 0.6; exit 4'))
      assert.equal(failed.end.outcome, 'failed')
      assert.match(failed.problems[0]!.message, /exit code 4/)
      assert.deepEqual(await names(), ['job'])
      const { end, problems } = await driver.apply(resources('sleep 0.6; echo yes > /data/done'))
      assert.deepEqual([end.outcome, problems], ['succeeded', []])
      assert.equal(await inside(driver, 'app', ['cat', '/copy']), 'yes\n')
    },
  )

  await t.test(
    'a host port moves from one that goes to one that comes, and back when that fails',
    async () => {
      driver = drive(service.socket, 'moving')
      const port = await freePort()
      const ports = [{ containerPort: 80, hostPort: port, protocol: 'tcp' }] as const
      await driver.apply([serving(port, 'old')])
      const failing = container('other', { args: ['false'], ports })
      const bad = await driver.apply([failing])
      assert.deepEqual(
        [bad.end.outcome, bad.end.isRolledBack, await page(port)],
        ['failed', true, 'old'],
      )
      const good = container('other', { args: ['httpd', '-f', '-h', '/www'], ports })
      const { end } = await driver.apply([good])
      assert.deepEqual(
        [end.outcome, await page(port), await names()],
        ['succeeded', 'hello', ['other']],
      )
    },
  )

  await t.test('names and ports that others hold are told before anything is touched', async () => {
    driver = drive(service.socket, 'taken')
    const { podman } = driver
    const port = await freePort()
    const body = {
      name: 'web',
      image: busybox,
      command: ['sleep', '1000'],
      portmappings: [{ container_port: 80, host_port: port }],
    }
    await createContainer(podman, body, signal)
    await startContainer(podman, 'web', signal)
    const byName = await driver.apply([serving(await freePort(), 'x')])
    assert.equal(byName.plan!.skipped[0]!.problem.code, 'name_taken')
    const byPort = await driver.apply([
      container('mine', { ports: [{ containerPort: 80, hostPort: port, protocol: 'tcp' }] }),
    ])
    assert.match(byPort.plan!.skipped[0]!.problem.message, /held by container web/)
    await removeContainer(podman, 'web', 0, signal)
  })

  await t.test('a port held by another process is told, and the holder keeps it', async () => {
    driver = drive(service.socket, 'process')
    const { createServer } = await import('node:http')
    const server = createServer((_, answer) => answer.end('mine'))
    await new Promise<void>((resolve) => server.listen(0, '0.0.0.0', resolve))
    const address = server.address()
    const port = typeof address === 'object' && address !== null ? address.port : 0
    const { end, problems } = await driver.apply([serving(port, 'x')])
    assert.equal(end.outcome, 'failed')
    assert.equal(problems.at(-1)!.code, 'port_taken')
    await new Promise((resolve) => server.close(resolve))
  })
})
