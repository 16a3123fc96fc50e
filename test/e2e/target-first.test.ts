/** The first road: a small application is installed, left alone, changed, drifts, and goes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { listContainers, stopContainer } from '#clients/podman/containers.ts'
import { podmanEngine } from '#clients/podman/container-engine.ts'
import { inspectSecret, listSecrets } from '#clients/podman/secrets.ts'
import { label } from '#domains/charts/labels.ts'
import {
  container,
  drive,
  inside,
  need,
  network,
  sealed,
  secret,
  usualOptions,
  volume,
  type Driver,
} from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page as pageOn } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'

const skip = required('podman')
const { signal } = new AbortController()
const isList = /\/(containers|networks|volumes|secrets|pods|images)\/json/

test('an application through its life', { skip }, async (t) => {
  let service: TestPodman
  let proxy: Proxy
  let driver: Driver
  let port: number
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    proxy = await startProxy(service.socket)
    driver = drive(proxy.socket, 'first')
    port = await freePort()
  })
  after(async () => {
    driver.close()
    await proxy.stop()
    await service.stop()
  })

  const resources = (page: string) => [
    network('web-net'),
    volume('data'),
    secret('login', {
      user: sealed(driver, 'user', 'me'),
      password: sealed(driver, 'password', 'hush'),
    }),
    container(
      'db',
      {
        args: ['sh', '-c', 'echo $PASSWORD > /data/seen; httpd -f -p 80 -h /data'],
        networks: [{ network: 'web-net', aliases: ['db'] }],
        mounts: [{ path: '/data', readOnly: false, from: { kind: 'named', volume: 'data' } }],
        secretEnv: { PASSWORD: { from: 'secret/login', output: 'password' } },
      },
      [need('network/web-net'), need('volume/data'), need('secret/login', 'exists', true)],
    ),
    container(
      'web',
      {
        args: [
          'sh',
          '-c',
          `echo ${page} > /www/index.html; wget -qO /www/db http://db/seen; httpd -f -p 80 -h /www`,
        ],
        networks: [{ network: 'web-net', aliases: ['web'] }],
        ports: [{ containerPort: 80, hostPort: port, protocol: 'tcp' }],
        health: {
          test: ['CMD-SHELL', 'wget -qO- http://localhost/'],
          http: { path: '/', port: 80 },
          intervalSeconds: 1,
          timeoutSeconds: 1,
          startPeriodSeconds: 0,
          retries: 3,
        },
      },
      [need('network/web-net'), need('container/db', 'started')],
    ),
  ]
  const page = (path = '') => pageOn(port, path)

  await t.test('install', async () => {
    const { end, problems } = await driver.apply(resources('one'))
    assert.deepEqual([end.outcome, end.summary.created, problems], ['succeeded', 5, []])
    assert.equal(await page(), 'one')
    assert.equal(await page('db'), 'hush')
    const engine = podmanEngine(driver.podman)
    const login = (await listSecrets(driver.podman, signal)).find(({ name }) => /login/.test(name))
    const made = [
      (await engine.inspectContainer('db', signal))?.labels,
      await engine.networkLabels('web-net', signal),
      await engine.volumeLabels('data', signal),
      (await inspectSecret(driver.podman, login?.name ?? '', signal))?.labels,
    ]
    for (const labels of made) assert.match(labels?.['tend/generation'] ?? '', /^[1-9]/)
  })

  await t.test('again: nothing to do, and not one write', async () => {
    proxy.reset()
    const { end } = await driver.apply(resources('one'))
    assert.deepEqual([end.outcome, end.summary.unchanged], ['succeeded', 5])
    assert.deepEqual(proxy.writes(), [])
    // lists of 4.x don't tell the labels of secrets: each is looked at once in a process
    const single = proxy.reads().filter(({ path }) => !isList.test(path))
    assert.ok(
      single.every(({ path }) => path.includes('/secrets/')),
      JSON.stringify(single),
    )
    proxy.reset()
    await driver.apply(resources('one'))
    assert.equal(proxy.calls().length, 6)
  })

  await t.test('one line changed: only what it touches is replaced', async () => {
    const { end, plan, text } = await driver.apply(resources('two'))
    assert.equal(end.outcome, 'succeeded', text)
    assert.deepEqual(
      plan!.groups.map(({ ref, step }) => [ref, step]),
      [['container/web', 'replace']],
    )
    assert.equal(await page(), 'two')
    const found = await listContainers(driver.podman, signal)
    assert.deepEqual(found.map(({ name }) => name).toSorted(), ['db', 'web'])
    assert.equal((await driver.apply(resources('two'))).end.summary.unchanged, 5)
  })

  await t.test('a changed secret replaces who uses it, and only that', async () => {
    sealed(driver, 'password', 'hush')
    const changed = resources('two')
    driver.secrets.set('password', Buffer.from('other'))
    const { end, plan, text } = await driver.apply(changed)
    assert.equal(end.outcome, 'succeeded', text)
    assert.deepEqual(plan!.groups.map(({ ref, step }) => `${step} ${ref}`).toSorted(), [
      'replace container/db',
      'replace secret/login',
    ])
    assert.doesNotMatch(text, /hush|other/)
    assert.equal((await inside(driver, 'db', ['cat', '/data/seen'])).trim(), 'other')
    const again = await driver.apply(changed.map((resource) => resource))
    assert.equal(again.end.summary.unchanged, 5, again.text)
  })

  await t.test('a stopped container is started again', async () => {
    await stopContainer(driver.podman, 'db', 0, signal)
    const current = resources('two')
    driver.secrets.set('password', Buffer.from('other'))
    const { end, text } = await driver.apply(current)
    assert.equal(end.outcome, 'succeeded')
    assert.match(text, /update container\/db: it has stopped/)
    const db = (await listContainers(driver.podman, signal)).find(({ name }) => name === 'db')
    assert.equal(db!.state, 'running')
    assert.equal(db!.labels[label.chart], 'first')
  })

  await t.test('uninstall: all goes but the data', async () => {
    const { end, plan } = await driver.uninstall()
    assert.deepEqual([end.outcome, end.summary.deleted], ['succeeded', 4])
    assert.deepEqual(
      plan!.kept.map(({ ref }) => ref),
      ['volume/data'],
    )
    assert.deepEqual(await listContainers(driver.podman, signal), [])
    const { end: last } = await driver.uninstall({
      options: { ...usualOptions, pruneVolumes: true },
    })
    assert.equal(last.summary.deleted, 1)
  })
})
