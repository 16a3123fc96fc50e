/** Pods: shared ports and networks, members, init containers, replacement and the way back. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createContainer,
  listContainers,
  removeContainer,
  stopContainer,
} from '#clients/podman/containers.ts'
import { listPods } from '#clients/podman/pods.ts'
import type { ContainerSpec } from '#domains/charts/spec.ts'
import {
  container,
  drive,
  inside,
  need,
  network,
  pod,
  volume,
  usualOptions,
  type Driver,
} from '../testbed/drive.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('pods', { skip }, async (t) => {
  let service: TestPodman
  let driver: Driver
  let port: number
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    driver = drive(service.socket, 'pods')
    port = await freePort()
  })
  after(async () => {
    driver.close()
    await service.stop()
  })
  const member = (
    name: string,
    spec: Partial<ContainerSpec>,
    needs: ReturnType<typeof need>[] = [],
  ) =>
    container(name, { pod: { from: 'pod/app', output: 'object' }, ...spec }, [
      need('pod/app', 'exists', true),
      ...needs,
    ])
  const podNames = async () => (await listPods(driver.podman, signal)).map(({ name }) => name)
  const names = async () =>
    (await listContainers(driver.podman, signal))
      .filter(({ isInfra }) => !isInfra)
      .map(({ name }) => name)
      .toSorted()
  const mount = {
    path: '/data',
    readOnly: false,
    from: { kind: 'named', volume: 'shared' },
  } as const
  const serve = (text: string) => [
    'sh',
    '-c',
    `echo ${text} > /www/index.html; exec httpd -f -h /www`,
  ]
  const resources = (hostname: string, web: Partial<ContainerSpec> = { args: serve('one') }) => [
    network('net'),
    volume('shared', { from: { kind: 'named', driver: 'local', isEphemeral: true } }),
    pod(
      'app',
      {
        hostname,
        ports: [{ containerPort: 80, hostPort: port, protocol: 'tcp' }],
        networks: [{ network: 'net', aliases: ['app'] }],
        sysctl: { 'net.ipv4.ip_unprivileged_port_start': '79' },
        extraHosts: { elsewhere: '10.9.8.7' },
        labels: { a: 'b' },
      },
      [need('network/net')],
    ),
    member(
      'prepare',
      {
        args: ['sh', '-c', 'sleep 0.3; echo prepared > /data/file'],
        init: 'always',
        mounts: [mount],
      },
      [need('volume/shared')],
    ),
    member('web', web, [need('container/prepare', 'completed')]),
    member('side', { mounts: [mount] }, [
      need('container/prepare', 'completed'),
      need('volume/shared'),
    ]),
  ]

  await t.test('members share ports, network and names; init containers end first', async () => {
    const { end, problems, text } = await driver.apply(resources('host-one'))
    assert.deepEqual([end.outcome, problems], ['succeeded', []], text)
    assert.equal(await page(port), 'one')
    assert.equal(
      (
        await inside(driver, 'side', [
          'sh',
          '-c',
          'wget -qO- http://localhost/; hostname; cat /data/file; cat /proc/sys/net/ipv4/ip_unprivileged_port_start; grep elsewhere /etc/hosts | cut -f1',
        ])
      ).trim(),
      'one\nhost-one\nprepared\n79\n10.9.8.7',
    )
    const again = await driver.apply(resources('host-one'))
    assert.equal(again.end.summary.unchanged, 6, again.text)
  })

  await t.test('a member is replaced alone', async () => {
    const { end, plan } = await driver.apply(resources('host-one', { args: serve('two') }))
    assert.equal(end.outcome, 'succeeded')
    assert.deepEqual(
      plan!.groups.map(({ ref }) => ref),
      ['container/web'],
    )
    assert.equal(await page(port), 'two')
  })

  await t.test('a changed pod is replaced with its members', async () => {
    const { end, plan, problems, text } = await driver.apply(
      resources('host-two', { args: serve('two') }),
    )
    assert.deepEqual([end.outcome, problems], ['succeeded', []], text)
    assert.deepEqual(plan!.groups.map(({ ref }) => ref).toSorted(), [
      'container/prepare',
      'container/side',
      'container/web',
      'pod/app',
    ])
    assert.equal(await page(port), 'two')
    assert.equal((await inside(driver, 'web', ['hostname'])).trim(), 'host-two')
    const [only, ...others] = await podNames()
    assert.match(only!, /^app-[0-9a-f]{6}$/)
    assert.deepEqual([others, await names()], [[], ['prepare', 'side', 'web']])
    const again = await driver.apply(resources('host-two', { args: serve('two') }))
    assert.equal(again.end.summary.unchanged, 6, again.text)
  })

  await t.test('and goes back with them when a member fails', async () => {
    const pods = await podNames()
    const ids = (await listContainers(driver.podman, signal)).map(({ id }) => id).toSorted()
    const { end, text, problems } = await driver.apply(resources('host-three', { args: ['false'] }))
    assert.deepEqual(
      [end.outcome, end.isRolledBack],
      ['failed', true],
      text + JSON.stringify(problems),
    )
    assert.deepEqual(
      [await page(port), await podNames(), await names()],
      ['two', pods, ['prepare', 'side', 'web']],
    )
    assert.deepEqual(
      (await listContainers(driver.podman, signal)).map(({ id }) => id).toSorted(),
      ids,
    )
    const again = await driver.apply(resources('host-two', { args: serve('two') }))
    assert.equal(again.end.summary.unchanged, 6, again.text)
  })

  await t.test('a third time under its plain name again', async () => {
    const { end } = await driver.apply(resources('host-three', { args: serve('three') }))
    assert.deepEqual(
      [end.outcome, await podNames(), await page(port)],
      ['succeeded', ['app'], 'three'],
    )
  })

  await t.test('a stopped pod is started again', async () => {
    const { podman } = driver
    for (const { id, isInfra } of await listContainers(podman, signal))
      if (!isInfra) await stopContainer(podman, id, 0, signal)
    const [infra] = (await listContainers(podman, signal)).filter(({ isInfra }) => isInfra)
    await stopContainer(podman, infra!.id, 0, signal)
    const { end, text } = await driver.apply(resources('host-three', { args: serve('three') }))
    assert.deepEqual([end.outcome, await page(port)], ['succeeded', 'three'], text)
    assert.equal(
      (await driver.apply(resources('host-three', { args: serve('three') }))).end.summary.unchanged,
      6,
    )
  })

  await t.test("a stranger's container in it is not swept away", async () => {
    await createContainer(
      driver.podman,
      { name: 'guest', image: busybox, command: ['sleep', '1000'], pod: 'app' },
      signal,
    )
    const { end, problems } = await driver.uninstall()
    assert.equal(end.outcome, 'failed')
    assert.match(problems.map(({ message }) => message).join('\n'), /holds container guest/)
    await removeContainer(driver.podman, 'guest', 0, signal)
    const last = await driver.uninstall({ options: { ...usualOptions, pruneVolumes: true } })
    assert.equal(last.end.outcome, 'succeeded')
    assert.deepEqual([await podNames(), await names()], [[], []])
  })

  await t.test('after a reboot init containers of type always run before the members', async () => {
    const count = (times: number) => [
      volume('shared', { from: { kind: 'named', driver: 'local', isEphemeral: true } }),
      pod('app', { hostname: 'again', extraHosts: { up: 'host-gateway' } }),
      member(
        'prepare',
        { args: ['sh', '-c', 'echo x >> /data/runs'], init: 'always', mounts: [mount] },
        [need('volume/shared')],
      ),
      member('side', { mounts: [mount], env: { TIMES: String(times) } }, [
        need('container/prepare', 'completed'),
        need('volume/shared'),
      ]),
    ]
    const runs = async () => (await inside(driver, 'side', ['cat', '/data/runs'])).trim()
    await driver.apply(count(1))
    assert.equal(await runs(), 'x')
    assert.match(await inside(driver, 'side', ['cat', '/etc/hosts']), /^\d+(?:\.\d+){3}\s+up$/m)
    await service.restart({ isReboot: true })
    const { end, text } = await driver.apply(count(1), { trigger: 'reinit' })
    assert.equal(end.outcome, 'succeeded', text)
    assert.match(
      text,
      /update container\/prepare\n *Why: its pod starts again|its pod starts again/,
    )
    assert.equal(await runs(), 'x\nx')
    assert.equal((await driver.apply(count(1))).end.summary.unchanged, 4)
  })
})
