/** A name that somebody else takes between our look and our call: what has it then is never started, moved or removed by a chart. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { container, drive, need, network, usualOptions, volume } from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { startProxy, type Call, type Proxy } from '../testbed/proxy.ts'
import { callsByName, takeAt, takeObjectAt } from '../testbed/taken-name.ts'

const skip = required('podman')
const { signal } = new AbortController()
const isStart = ({ path }: { readonly path: string }) => /\/containers\/[^/]+\/start/.test(path)

test('a chart whose names somebody else takes', { skip }, async (t) => {
  let service: TestPodman
  let proxy: Proxy
  let docker: Docker
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    proxy = await startProxy(service.socket)
    docker = dockerAt({ address: `unix://${service.socket}` })
  })
  after(async () => {
    docker.close()
    await proxy.stop()
    await service.stop()
  })

  await t.test('at a first start', async (own) => {
    const driver = drive(proxy.socket, 'first')
    own.after(() => driver.close())
    const thief = takeAt(proxy, docker, isStart, () => 'web')
    own.after(() => thief.leave())
    const told = await driver.apply([container('web')])
    assert.equal(told.end.outcome, 'failed')
    assert.match(told.problems.map(({ message }) => message).join('\n'), /container web/)
    await thief.assertUntouched()
  })

  await t.test('when it is replaced in place', async (own) => {
    const driver = drive(proxy.socket, 'place')
    own.after(async () => {
      await driver.uninstall({ options: { ...usualOptions, pruneVolumes: true } })
      driver.close()
    })
    const from = { kind: 'named', volume: 'data' } as const
    const mounts = [{ path: '/data', from, readOnly: false }]
    const web = (level: string) => container('web', { env: { LEVEL: level }, mounts })
    await driver.apply([volume('data'), web('one')])
    const thief = takeAt(proxy, docker, isStart, () => 'web')
    own.after(() => thief.leave())
    const told = await driver.apply([volume('data'), web('two')])
    assert.notEqual(told.end.outcome, 'succeeded')
    await thief.assertUntouched()
  })

  await t.test('of a network or a volume that is to go', async (own) => {
    const driver = drive(proxy.socket, 'gone')
    own.after(() => driver.close())
    const options = { ...usualOptions, pruneVolumes: true }
    const both = [network('left'), volume('store')]
    const made = await driver.apply([...both, container('lone')])
    assert.equal(made.end.outcome, 'succeeded', made.text + JSON.stringify(made.problems))
    const isAsked = ({ path }: Call) => path.endsWith('/networks/left/json')
    const thief = takeObjectAt(proxy, docker, isAsked, 'networks', 'left')
    own.after(() => thief.leave())
    await driver.apply([volume('store'), container('lone')], { options })
    await thief.assertUntouched()
    const isLook = ({ path }: Call) => path.endsWith('/volumes/store/json')
    const other = takeObjectAt(proxy, docker, isLook, 'volumes', 'store')
    own.after(() => other.leave())
    await driver.uninstall({ options })
    await other.assertUntouched()
  })

  await t.test('no call that changes a container says which by its name', async (own) => {
    const driver = drive(proxy.socket, 'calls')
    own.after(() => driver.close())
    proxy.reset()
    const networks = [{ network: 'net', aliases: ['web'] }]
    const health = {
      test: ['CMD', 'true'],
      intervalSeconds: 1,
      timeoutSeconds: 3,
      startPeriodSeconds: 0,
      retries: 3,
    }
    const all = (level: string) => [
      network('net'),
      container('web', { env: { LEVEL: level }, networks, health }, [need('network/net')]),
      container('db', { env: { LEVEL: level }, ports: [] }),
    ]
    for (const level of ['one', 'two']) {
      const { end, text, problems } = await driver.apply(all(level))
      assert.equal(end.outcome, 'succeeded', text + JSON.stringify(problems))
    }
    const found = await listContainers(docker, [], signal)
    const { id = '' } = found.find(({ name }) => name === 'web') ?? {}
    await docker.ask('POST', `/containers/${id}/pause`, { signal, doing: 'pause it' })
    assert.equal((await driver.apply(all('two'))).end.outcome, 'succeeded')
    await driver.uninstall()
    assert.ok(proxy.writes().length > 10)
    assert.deepEqual(callsByName(proxy.calls()), [])
  })
})
