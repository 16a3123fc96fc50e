/** Containers that are not the stack's: what looks like its own, and what is on its networks. And volumes that nobody named. */
import assert from 'node:assert/strict'
import { createContainer, removeContainer, startContainer } from '#clients/docker/containers.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { label } from '#domains/stacks/labels.ts'
import { listVolumes } from '#clients/docker/volumes.ts'
import { busybox } from '../testbed/image.ts'
import { usualOptions } from '../testbed/drive.ts'
import { onBothEngines, succeeded } from './stack-bench.ts'

const { signal } = new AbortController()
const quick = `image: ${busybox}\n    command: sleep 1000\n    stop_grace_period: 0s`

onBothEngines(async ({ t, stack }) => {
  await t.test('a copy made of a container of the stack is left alone, and told', async (own) => {
    const driver = stack(own, 'copied')
    const { docker } = driver
    const yaml = (level: string) => `
services:
  web:
    ${quick}
    environment: { LEVEL: ${level} }
`
    succeeded(await driver.up(yaml('one')))
    const query = { container: 'copied-web-1', repo: 'localhost/copied', tag: '1' }
    await docker.ask('POST', '/commit', { query, body: {}, signal, doing: 'could not commit' })
    const body = { Image: 'localhost/copied:1', Cmd: ['sleep', '1000'] }
    await createContainer(docker, { name: 'the-copy', body }, signal)
    await startContainer(docker, 'the-copy', signal)
    own.after(() => removeContainer(docker, 'the-copy', true, signal))
    const listed = () => listContainers(docker, [], signal)
    // as the container in which an engine builds an image whose Dockerfile sets these labels
    const mine = (await listed()).find(({ name }) => name === 'copied-web-1')
    const { [label.image]: _image, ...Labels } = mine?.labels ?? {}
    const claim = { Image: busybox, Cmd: ['sleep', '1000'], Labels }
    await createContainer(docker, { name: 'the-claim', body: claim }, signal)
    await startContainer(docker, 'the-claim', signal)
    own.after(() => removeContainer(docker, 'the-claim', true, signal))
    const copy = async () => {
      const strangers = (await listed()).filter(({ name }) => name.startsWith('the-'))
      return [...new Set(strangers.map(({ state }) => state))].join(' ')
    }
    const same = succeeded(await driver.up(yaml('one')))
    assert.equal(same.plan?.groups.length, 0, same.text)
    assert.match(same.plan?.warnings.join('\n') ?? '', /container the-copy has the labels/)
    succeeded(await driver.up(yaml('two')))
    assert.equal(await copy(), 'running')
    succeeded(await driver.down())
    assert.equal(await copy(), 'running')
    const again = succeeded(await driver.up(yaml('two')))
    assert.match(again.text, /create container\/web-1/)
    assert.equal(await copy(), 'running')
  })

  await t.test('who else is on a network that is made anew is told', async (own) => {
    const driver = stack(own, 'shared')
    const { docker } = driver
    const yaml = (mtu: number) => `
services:
  web:
    ${quick}
networks:
  default: { labels: { size: "${mtu}" } }
`
    succeeded(await driver.up(yaml(1400)))
    const HostConfig = { NetworkMode: 'shared_default' }
    const body = { Image: busybox, Cmd: ['sleep', '1000'], HostConfig }
    await createContainer(docker, { name: 'a-guest', body }, signal)
    await startContainer(docker, 'a-guest', signal)
    own.after(() => removeContainer(docker, 'a-guest', true, signal))
    const quiet = succeeded(await driver.up(yaml(1400)))
    assert.deepEqual(quiet.plan?.warnings, [])
    const anew = succeeded(await driver.up(yaml(1300)))
    assert.deepEqual(anew.plan?.warnings, [
      'network shared_default is made anew: a-guest, not of this stack, is taken off it and put on again',
    ])
    await removeContainer(docker, 'a-guest', true, signal)
  })

  await t.test('volumes without a name go with the others when volumes are to go', async (own) => {
    const driver = stack(own, 'nameless')
    const yaml = (level: string) => `
services:
  db:
    ${quick}
    environment: { LEVEL: ${level} }
    volumes: ["/scratch"]
  side:
    ${quick}
    volumes_from: [db]
`
    const names = async () => (await listVolumes(driver.docker, [], signal)).map(({ name }) => name)
    const before = await names()
    const more = async () => (await names()).filter((name) => !before.includes(name))
    succeeded(await driver.up(yaml('one')))
    succeeded(await driver.up(yaml('two')))
    assert.equal((await more()).length, 1)
    succeeded(await driver.down())
    assert.equal((await more()).length, 1, 'data is no side effect')
    succeeded(await driver.up(yaml('two')))
    assert.equal((await more()).length, 2)
    succeeded(await driver.down({ options: { ...usualOptions, pruneVolumes: true } }))
    assert.equal((await more()).length, 1)
  })
})
