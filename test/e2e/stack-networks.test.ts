/** Networks: several per container, names, fixed addresses, shared namespaces, a changed network. */
import assert from 'node:assert/strict'
import { createNetwork } from '#clients/docker/networks.ts'
import {
  createContainer,
  inspectContainer,
  removeContainer,
  startContainer,
} from '#clients/docker/containers.ts'
import { recordOf, textOf, textsOf } from '#model/read-json.ts'
import { usualOptions } from '../testbed/drive.ts'
import { busybox } from '../testbed/image.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const quick = `image: ${busybox}\n    command: sh -c "mkdir -p /www; echo $$(hostname) > /www/index.html; exec httpd -f -h /www -p 80"\n    stop_grace_period: 0s`

onBothEngines(async ({ t, proxy, stack, engineName }) => {
  const subnet = engineName === 'Docker' ? '10.219.7' : '10.218.7'
  await t.test('aliases, fixed addresses, several networks, an internal one', async (own) => {
    const driver = stack(own, 'nets')
    const yaml = (address: string) => `
services:
  web:
    ${quick}
    hostname: the-web
    networks:
      front: { aliases: [shop], ipv4_address: ${subnet}.${address} }
      back: { aliases: [inner], priority: 10 }
  db:
    ${quick}
    networks: [back]
  edge:
    ${quick}
    networks: [front]
networks:
  front: { ipam: { config: [{ subnet: ${subnet}.0/24 }] } }
  back: { internal: true }
`
    succeeded(await driver.up(yaml('20')))
    const get = async (from: string, host: string) => driver.fetched(`nets-${from}-1`, host)
    assert.equal(await get('edge', 'shop'), 'the-web')
    assert.equal(await get('edge', 'nets-web-1'), 'the-web')
    assert.equal(await get('edge', `${subnet}.20`), 'the-web')
    assert.equal(await get('db', 'inner'), 'the-web')
    assert.equal(await get('db', 'web'), 'the-web')
    proxy.reset()
    succeeded(await driver.up(yaml('20')))
    assert.deepEqual(proxy.writes(), [])
    const moved = succeeded(await driver.up(yaml('21')))
    assert.match(moved.text, /networks\[nets_front\].ipv4: .*\.20 → .*\.21/)
    assert.equal(await get('edge', `${subnet}.21`), 'the-web')
    assert.equal(await get('edge', 'shop'), 'the-web')
  })

  await t.test('a changed network is made anew, and all go on again', async (own) => {
    const driver = stack(own, 'renet')
    const yaml = (end: string) => `
services:
  web:
    ${quick}
    networks: { front: { aliases: [shop] } }
  edge:
    ${quick}
    networks: [front]
networks:
  front: { ipam: { config: [{ subnet: ${subnet}.${end} }] } }
`
    succeeded(await driver.up(yaml('64/26')))
    const body = {
      Image: busybox,
      Cmd: ['sleep', '1000'],
      HostConfig: { NetworkMode: 'renet_front' },
    }
    await createContainer(driver.docker, { name: 'renet-guest', body }, signal)
    await startContainer(driver.docker, 'renet-guest', signal)
    const before = await driver.ids()
    const run = succeeded(await driver.up(yaml('128/26')))
    assert.match(run.text, /replace network\/front/)
    assert.deepEqual(await driver.ids(), before)
    assert.match(await driver.fetched('renet-edge-1', 'shop'), /./)
    const guest = await inspectContainer(driver.docker, 'renet-guest', signal)
    const joined = recordOf(recordOf(guest?.['NetworkSettings'])['Networks'])
    assert.match(textOf(recordOf(joined['renet_front'])['IPAddress']), /\.1[2-9]\d$/)
    await removeContainer(driver.docker, 'renet-guest', false, signal)
    proxy.reset()
    succeeded(await driver.up(yaml('128/26')))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test('shared namespaces and volumes follow whom they are taken from', async (own) => {
    const driver = stack(own, 'joined')
    const yaml = (level: string) => `
services:
  main:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: [/shared]
  side:
    image: ${busybox}
    command: sleep 1000
    stop_grace_period: 0s
    network_mode: service:main
    pid: service:main
    volumes_from: [main]
`
    succeeded(await driver.up(yaml('one')))
    const read = async () => driver.fetched('joined-side-1', '127.0.0.1')
    assert.match(await read(), /./)
    await driver.inside('joined-main-1', 'sh', '-c', 'echo x > /shared/x')
    assert.equal(await driver.inside('joined-side-1', 'cat', '/shared/x'), 'x')
    proxy.reset()
    succeeded(await driver.up(yaml('one')))
    assert.deepEqual(proxy.writes(), [])
    const before = await driver.ids()
    succeeded(await driver.up(yaml('two')))
    const after = await driver.ids()
    assert.notEqual(after['joined-side-1'], before['joined-side-1'])
    assert.match(await read(), /./)
    proxy.reset()
    succeeded(await driver.up(yaml('two')))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test('links give other names', async (own) => {
    const driver = stack(own, 'linked')
    const yaml = `
services:
  web:
    ${quick}
    links: ["db:database"]
  db:
    ${quick}
    hostname: the-db
`
    succeeded(await driver.up(yaml))
    assert.equal(await driver.fetched('linked-web-1', 'database'), 'the-db')
    proxy.reset()
    succeeded(await driver.up(yaml))
    assert.deepEqual(proxy.writes(), [])
  })

  await t.test('who keeps a network or a volume that was to go is named', async (own) => {
    const driver = stack(own, 'kept')
    const both = `
services: { web: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, volumes: ["data:/data"] } }
volumes: { data: }
`
    succeeded(await driver.up(both))
    const stranger = {
      Image: busybox,
      Cmd: ['sleep', '1000'],
      HostConfig: { NetworkMode: 'kept_default', Binds: ['kept_data:/data'] },
    }
    await createContainer(driver.docker, { name: 'stranger', body: stranger }, signal)
    await startContainer(driver.docker, 'stranger', signal)
    own.after(() => removeContainer(driver.docker, 'stranger', true, signal))
    const options = { ...usualOptions, pruneVolumes: true }
    const { end, problems } = await driver.down({ options })
    assert.equal(end.outcome, 'failed')
    const told = problems.map(({ message, suggestion }) => `${message}; ${suggestion}`).join('\n')
    assert.match(
      told,
      /network kept_default: container stranger uses it; docker network disconnect/,
    )
    assert.match(told, /volume kept_data: container stranger uses it; remove that container/)
    await removeContainer(driver.docker, 'stranger', true, signal)
    succeeded(await driver.down({ options }))
  })

  await t.test(
    'an external network; a container that was taken off its network is put back',
    async (own) => {
      const driver = stack(own, 'outnet')
      await createNetwork(driver.docker, { Name: 'outnet-shared' }, signal)
      const yaml = `
services:
  web:
    ${quick}
    networks: [shared, default]
networks: { shared: { external: true, name: outnet-shared } }
`
      succeeded(await driver.up(yaml))
      await driver.docker.ask('POST', '/networks/outnet-shared/disconnect', {
        body: { Container: 'outnet-web-1', Force: true },
        signal,
        doing: 'x',
      })
      const run = succeeded(await driver.up(yaml))
      assert.match(run.text, /update container\/web-1: it is not on network outnet-shared/)
      const found = await driver.inspect('outnet-web-1')
      const joined = recordOf(recordOf(found['NetworkSettings'])['Networks'])
      assert.ok(textsOf(recordOf(joined['outnet-shared'])['Aliases']).includes('web'))
      succeeded(await driver.down())
      await driver.docker.ask('DELETE', '/networks/outnet-shared', { signal, doing: 'x' })
    },
  )
})
