/** A changed network is recreated under the feet of everyone on it, strangers too; names and ports work as before. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createContainer,
  listContainers,
  removeContainer,
  startContainer,
} from '#clients/podman/containers.ts'
import { createNetwork, listNetworks, removeNetwork } from '#clients/podman/networks.ts'
import { container, drive, inside, need, network, pod, type Driver } from '../testbed/drive.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { page } from '../testbed/page.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('networks', { skip }, async (t) => {
  let service: TestPodman
  let driver: Driver
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    driver = drive(service.socket, 'nets')
  })
  after(async () => {
    driver.close()
    await service.stop()
  })
  const asked = async (from: string, to: string) =>
    (await inside(driver, from, ['sh', '-c', `wget -qO- http://${to}/ 2>&1`])).trim()
  const subnetOf = async (name: string) =>
    (await listNetworks(driver.podman, signal)).find((found) => found.name === name)!.subnets[0]!
      .subnet
  const serving = { args: ['httpd', '-f', '-h', '/www'] }

  await t.test('recreated with everyone back on it', async () => {
    const port = await freePort()
    const resources = (subnet: string) => [
      network('net', { subnet }),
      container(
        'a',
        {
          ...serving,
          networks: [{ network: 'net', aliases: ['a', 'alpha'] }],
          ports: [{ containerPort: 80, hostPort: port, protocol: 'tcp' }],
        },
        [need('network/net')],
      ),
      container('b', { ...serving, networks: [{ network: 'net', aliases: ['b'] }] }, [
        need('network/net'),
      ]),
      pod('p', { networks: [{ network: 'net', aliases: ['p'] }] }, [need('network/net')]),
      container('member', { ...serving, pod: { from: 'pod/p', output: 'object' } }, [
        need('pod/p', 'exists', true),
      ]),
    ]
    const first = await driver.apply(resources('10.78.1.0/24'))
    assert.deepEqual([first.end.outcome, first.problems], ['succeeded', []])
    const stranger = {
      name: 'stranger',
      image: busybox,
      command: ['httpd', '-f', '-h', '/www'],
      netns: { nsmode: 'bridge' },
      Networks: { net: { aliases: ['odd'] } },
    }
    await createContainer(driver.podman, stranger, signal)
    await startContainer(driver.podman, 'stranger', signal)
    const ids = (await listContainers(driver.podman, signal)).map(({ id }) => id).toSorted()
    const { end, plan, text, problems } = await driver.apply(resources('10.78.2.0/24'))
    assert.deepEqual([end.outcome, problems], ['succeeded', []], text)
    assert.deepEqual(
      plan!.groups.map(({ ref, step }) => `${step} ${ref}`),
      ['replace network/net'],
    )
    assert.equal(await subnetOf('net'), '10.78.2.0/24')
    assert.deepEqual(
      (await listContainers(driver.podman, signal)).map(({ id }) => id).toSorted(),
      ids,
    )
    assert.deepEqual(
      [
        await asked('a', 'b'),
        await asked('b', 'alpha'),
        await asked('b', 'odd'),
        await asked('stranger', 'p'),
        await asked('member', 'a'),
      ],
      ['hello', 'hello', 'hello', 'hello', 'hello'],
    )
    assert.equal(await page(port), 'hello')
    assert.equal((await driver.apply(resources('10.78.2.0/24'))).end.summary.unchanged, 5)
    await removeContainer(driver.podman, 'stranger', 0, signal)
    const gone = await driver.uninstall()
    assert.equal(gone.end.outcome, 'succeeded', JSON.stringify(gone.problems))
  })

  await t.test('put back when the run fails', async () => {
    const resources = (subnet: string, args: readonly string[]) => [
      network('net', { subnet }),
      container('a', { ...serving, networks: [{ network: 'net', aliases: ['a'] }] }, [
        need('network/net'),
      ]),
      container('b', { args, networks: [{ network: 'net', aliases: ['b'] }] }, [
        need('network/net'),
      ]),
    ]
    await driver.apply(resources('10.78.3.0/24', ['sleep', '1000']))
    const { end } = await driver.apply(resources('10.78.4.0/24', ['false']))
    assert.deepEqual([end.outcome, end.isRolledBack], ['failed', true])
    assert.equal(await subnetOf('net'), '10.78.3.0/24')
    assert.equal(await asked('b', 'a'), 'hello')
    const again = await driver.apply(resources('10.78.3.0/24', ['sleep', '1000']))
    assert.equal(again.end.summary.unchanged, 3, again.text)
    await driver.uninstall()
  })

  await t.test('one that someone else made is left alone', async () => {
    await createNetwork(driver.podman, { name: 'net' }, signal)
    const { plan } = await driver.apply([network('net')])
    assert.equal(plan!.skipped[0]!.problem.code, 'name_taken')
    await removeNetwork(driver.podman, 'net', signal)
  })
})
