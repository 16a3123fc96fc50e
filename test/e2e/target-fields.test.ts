/** Every field of a container's spec takes effect: read back from inside it, or from what Podman says of it. */
import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { inspectContainer, listContainers } from '#clients/podman/containers.ts'
import { recordOf, recordsOf, textOf, textsOf } from '#model/read-json.ts'
import { label } from '#domains/charts/labels.ts'
import type { ContainerSpec } from '#domains/charts/spec.ts'
import {
  container,
  drive,
  inside,
  need,
  network,
  sealed,
  secret,
  volume,
  type Driver,
} from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('fields', { skip }, async (t) => {
  let service: TestPodman
  let driver: Driver
  let folder: string
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    folder = mkdtempSync(join(tmpdir(), 'tend-fields-'))
  })
  after(async () => {
    await service.stop()
    rmSync(folder, { recursive: true, force: true })
  })
  const inspected = async (name: string) =>
    recordOf(await inspectContainer(driver.podman, name, signal))
  const hostConfig = async (name: string) => recordOf((await inspected(name))['HostConfig'])
  const says = async (name: string, command: string) =>
    (await inside(driver, name, ['sh', '-c', command])).trim()

  await t.test('of the process', async () => {
    driver = drive(service.socket, 'process')
    const spec: Partial<ContainerSpec> = {
      command: ['sh', '-c'],
      args: ['trap "exit 7" USR1; while true; do sleep 0.05; done'],
      env: { PLAIN: 'a b', TOKEN: sealed(driver, 'token', 'hush') },
      workingDir: '/var',
      user: '1001:1002',
      groups: ['1003'],
      capabilitiesAdd: ['NET_ADMIN'],
      capabilitiesDrop: ['CHOWN'],
      readOnlyRootFilesystem: true,
      sysctl: { 'net.ipv4.ip_unprivileged_port_start': '80' },
      memory: '64Mi',
      memoryReservation: '32Mi',
      cpu: '0.5',
      cpuReservation: '0.25',
      labels: { team: 'blue', 'example.org/x': 'y' },
      hostname: 'named',
      extraHosts: { elsewhere: '10.9.8.7' },
      ulimits: { nofile: { soft: 1000, hard: 1000 }, nproc: { soft: 900, hard: 900 } },
      stopSignal: 'SIGUSR1',
      stopTimeoutSeconds: 5,
      restartPolicy: 'unless-stopped',
      logging: { driver: 'k8s-file', options: { 'max-size': '1Mi' } },
    }
    const group = { user: ':1002', stopTimeoutSeconds: 0 }
    const { end, problems } = await driver.apply([container('p', spec), container('g', group)])
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    assert.equal(await says('p', 'echo $PLAIN/$TOKEN/$IMAGE_VARIABLE'), 'a b/hush/from-image')
    assert.equal(
      await says('p', 'pwd; id -u; id -g; id -G | tr " " "\\n" | grep 1003'),
      '/var\n1001\n1002\n1003',
    )
    assert.equal(await says('p', 'tr "\\0" " " < /proc/1/cmdline | cut -c1-6'), 'sh -c')
    const held = await inspected('p')
    assert.ok(
      textsOf(held['EffectiveCaps']).includes('CAP_NET_ADMIN') ||
        textsOf(held['BoundingCaps']).includes('CAP_NET_ADMIN'),
    )
    assert.ok(!textsOf(held['BoundingCaps']).includes('CAP_CHOWN'))
    assert.match(await says('p', 'touch /x 2>&1'), /Read-only file system/)
    assert.equal(await says('p', 'cat /proc/sys/net/ipv4/ip_unprivileged_port_start'), '80')
    assert.equal(
      await says('p', 'hostname; grep elsewhere /etc/hosts | cut -f1; ulimit -n'),
      'named\n10.9.8.7\n1000',
    )
    const limits = await hostConfig('p')
    assert.deepEqual(
      [limits['Memory'], limits['MemoryReservation'], limits['NanoCpus'], limits['CpuShares']],
      [64 * 2 ** 20, 32 * 2 ** 20, 500_000_000, 256],
    )
    assert.equal(textOf(recordOf(limits['RestartPolicy'])['Name']), 'unless-stopped')
    assert.equal(recordOf(limits['LogConfig'])['Type'], 'k8s-file')
    assert.equal(recordOf(limits['LogConfig'])['Size'], '1.049MB')
    const config = recordOf(held['Config'])
    assert.deepEqual([config['StopSignal'], config['StopTimeout']], [10, 5])
    const labels = recordOf(config['Labels'])
    assert.deepEqual([labels['team'], labels['example.org/x']], ['blue', 'y'])
    assert.deepEqual(
      [labels[label.chart], labels[label.version], labels[label.managedBy]],
      ['process', '1.0.0', 'tend'],
    )
    assert.doesNotMatch(JSON.stringify(labels), /hush/)
    assert.equal(await says('g', 'id -u; id -g'), '0\n1002')
    const gone = driver.uninstall()
    assert.equal((await gone).end.outcome, 'succeeded')
    driver.close()
  })

  await t.test('of ports', async () => {
    driver = drive(service.socket, 'ports')
    const [tcp, udp] = [await freePort(), await freePort()]
    const resources = [
      container('ports', {
        args: ['httpd', '-f', '-h', '/www'],
        ports: [
          { containerPort: 80, hostPort: tcp, protocol: 'tcp', hostIP: '127.0.0.1' },
          { containerPort: 80, hostPort: 0, protocol: 'tcp' },
          { containerPort: 53, hostPort: udp, protocol: 'udp' },
        ],
      }),
    ]
    assert.equal((await driver.apply(resources)).end.outcome, 'succeeded')
    const [found] = await listContainers(driver.podman, signal)
    const random = found!.ports.find(
      ({ protocol, hostPort }) => protocol === 'tcp' && hostPort !== tcp,
    )!.hostPort
    assert.ok(random > 0)
    for (const port of [tcp, random]) {
      assert.equal(await page(port), 'hello')
    }
    assert.ok(found!.ports.some(({ protocol, hostPort }) => protocol === 'udp' && hostPort === udp))
    assert.equal((await driver.apply(resources)).end.summary.unchanged, 1)
    await driver.uninstall()
    driver.close()
  })

  await t.test('of mounts and volumes', async () => {
    driver = drive(service.socket, 'mounts')
    const [made, file] = [join(folder, 'made/deep'), join(folder, 'file')]
    writeFileSync(join(folder, 'present'), 'content')
    const host = (
      path: string,
      type: 'Directory' | 'DirectoryOrCreate' | 'FileOrCreate' | 'File',
    ) => ({ kind: 'host', path, type }) as const
    const needs = ['named', 'owned', 'made', 'file', 'memory'].map((name) => need(`volume/${name}`))
    const resources = [
      volume('named', { labels: { a: 'b' } }),
      volume('owned', { owner: { user: 1001, group: 1002 } }),
      volume('made', { from: host(made, 'DirectoryOrCreate'), owner: { user: 1001, group: 1002 } }),
      volume('file', { from: host(file, 'FileOrCreate') }),
      volume('memory', { from: { kind: 'memory', size: '1Mi' } }),
      container(
        'm',
        {
          mounts: [
            { path: '/named', readOnly: false, from: { kind: 'named', volume: 'named' } },
            {
              path: '/again',
              readOnly: true,
              from: { kind: 'named', volume: 'named' },
              seLinux: 'shared',
            },
            {
              path: '/part',
              readOnly: false,
              subPath: 'sub/path',
              from: { kind: 'named', volume: 'named' },
            },
            { path: '/owned', readOnly: false, from: { kind: 'named', volume: 'owned' } },
            {
              path: '/owned-part',
              readOnly: false,
              subPath: 'a/b',
              from: { kind: 'named', volume: 'owned' },
            },
            {
              path: '/made',
              readOnly: false,
              from: host(made, 'DirectoryOrCreate'),
              seLinux: 'private',
            },
            {
              path: '/half',
              readOnly: false,
              subPath: 'half',
              from: host(made, 'DirectoryOrCreate'),
            },
            { path: '/file', readOnly: false, from: host(file, 'FileOrCreate') },
            { path: '/present', readOnly: true, from: host(join(folder, 'present'), 'File') },
            { path: '/memory', readOnly: false, from: { kind: 'memory', size: '1Mi' } },
            {
              path: '/mapped',
              readOnly: false,
              from: host(made, 'DirectoryOrCreate'),
              uidMapping: { containerID: 0, hostID: 1000, size: 10 },
            },
          ],
        },
        needs,
      ),
    ]
    const { end, problems, warnings } = await driver.apply(resources)
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    assert.match(warnings.join('\n'), /\/mapped: ids are not mapped/)
    assert.equal(
      await says('m', 'echo x > /named/x; cat /again/x; touch /again/y 2>&1'),
      'x\ntouch: /again/y: Read-only file system',
    )
    assert.equal(await says('m', 'echo z > /part/z; cat /named/sub/path/z'), 'z')
    assert.equal(
      await says('m', 'stat -c %u:%g /owned /owned-part /owned/a /made'),
      '1001:1002\n1001:1002\n1001:1002\n1001:1002',
    )
    assert.equal(await says('m', 'echo h > /half/h; cat /made/half/h; cat /present'), 'h\ncontent')
    assert.equal(readFileSync(join(made, 'half/h'), 'utf8'), 'h\n')
    assert.ok(statSync(file).isFile())
    assert.match(await says('m', 'mount | grep " /memory "'), /tmpfs.*size=1024k/)
    const again = await driver.apply(resources)
    assert.equal(again.end.summary.unchanged, 6, again.text)
    const { end: last } = await driver.uninstall()
    assert.equal(last.outcome, 'succeeded')
    assert.ok(existsSync(made))
    driver.close()
  })

  await t.test('of secrets, as variables and as files', async () => {
    driver = drive(service.socket, 'secrets')
    const needs = [need('secret/login', 'exists', true), need('secret/single', 'exists', true)]
    const resources = [
      secret('login', {
        user: sealed(driver, 'u', 'me'),
        'tls.crt': sealed(driver, 'c', 'line\nline\n'),
      }),
      secret('single', { only: sealed(driver, 'o', 'one') }),
      container(
        's',
        {
          user: '1001',
          secretEnv: {
            USER_NAME: { from: 'secret/login', output: 'user' },
            ONLY: { from: 'secret/single', output: 'only' },
          },
          secretFiles: [
            { object: { from: 'secret/login', output: 'user' }, target: '/etc/login/user' },
            { object: { from: 'secret/login', output: 'tls.crt' }, target: '/etc/login/tls.crt' },
          ],
        },
        needs,
      ),
    ]
    const { end, problems } = await driver.apply(resources)
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    assert.equal(
      await says('s', 'echo $USER_NAME $ONLY; cat /etc/login/user; echo; cat /etc/login/tls.crt'),
      'me one\nme\nline\nline',
    )
    await driver.uninstall()
    driver.close()
  })

  await t.test('of networks: driver, subnet, gateway, options, names', async () => {
    driver = drive(service.socket, 'nets')
    const on = (name: string, ...networks: readonly string[]) =>
      container(
        name,
        {
          networks: networks.map((each) => ({ network: each, aliases: [name, `${name}-too`] })),
          args: ['httpd', '-f', '-h', '/www'],
        },
        networks.map((each) => need(`network/${each}`)),
      )
    const resources = [
      network('front', {
        subnet: '10.77.5.0/24',
        gateway: '10.77.5.254',
        options: { mtu: '1400' },
        labels: { a: 'b' },
      }),
      network('back'),
      on('one', 'front', 'back'),
      on('two', 'front'),
      on('three', 'back'),
    ]
    const { end, problems } = await driver.apply(resources)
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    const fetched = (from: string, to: string) =>
      says(from, `wget -qO- http://${to}/ 2>&1 || echo none`)
    assert.deepEqual(
      [
        await fetched('two', 'one'),
        await fetched('one', 'three-too'),
        await fetched('two', 'three'),
      ],
      ['hello', 'hello', "wget: bad address 'three'\nnone"],
    )
    assert.match(await says('two', 'ip route'), /default via 10\.77\.5\.254/)
    assert.match(await says('two', 'ip link show eth0'), /mtu 1400/)
    await driver.uninstall()
    driver.close()
  })

  await t.test('of devices and of privilege', async () => {
    driver = drive(service.socket, 'devices')
    const device = { host: '/dev/null', container: '/dev/mine', permissions: 'rw' }
    const { end, problems } = await driver.apply([container('d', { devices: [device] })])
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    assert.equal(await says('d', 'echo x > /dev/mine && test -c /dev/mine && echo there'), 'there')
    await driver.uninstall()
    // a machine without all capabilities can't start it, but it must have been asked for
    const { podman } = driver
    await driver.apply([container('privileged', { privileged: true })])
    const found = await inspectContainer(podman, 'privileged', signal)
    assert.equal(recordOf(found?.['HostConfig'])['Privileged'], true)
    await driver.uninstall()
    driver.close()
  })

  await t.test('of health', async () => {
    driver = drive(service.socket, 'health')
    const health = {
      test: ['CMD-SHELL', 'test -e /ready'],
      intervalSeconds: 1,
      timeoutSeconds: 2,
      startPeriodSeconds: 3,
      retries: 4,
    }
    const { end, problems } = await driver.apply([
      container('h', { args: ['sh', '-c', 'sleep 0.5; touch /ready; sleep 1000'], health }),
    ])
    assert.deepEqual([end.outcome, problems], ['succeeded', []])
    const check = recordOf(recordOf((await inspected('h'))['Config'])['Healthcheck'])
    const second = 1_000_000_000
    assert.deepEqual(
      [check['Test'], check['Interval'], check['Timeout'], check['StartPeriod'], check['Retries']],
      [health.test, second, 2 * second, 3 * second, 4],
    )
    assert.ok(
      recordsOf(recordOf(recordOf((await inspected('h'))['State'])['Health'])['Log']).length > 0,
    )
    await driver.uninstall()
    driver.close()
  })
})
