/** Watching: what happens to the application's objects is told at once, what happens to others is not, and breaks are survived. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createContainer,
  removeContainer,
  startContainer,
  stopContainer,
} from '#clients/podman/containers.ts'
import { disconnectContainer } from '#clients/podman/networks.ts'
import { container, drive, need, network, volume, type Driver } from '../testbed/drive.ts'
import { addImage, busybox } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'

const skip = required('podman')
const { signal } = new AbortController()

test('watching', { skip }, async (t) => {
  let service: TestPodman
  let driver: Driver
  before(async () => {
    service = await startPodman()
    await addImage(service.socket)
    driver = drive(service.socket, 'watched')
    const attached = { networks: [{ network: 'net', aliases: ['a'] }] }
    await driver.apply([
      network('net'),
      volume('data'),
      container('a', attached, [need('network/net')]),
    ])
  })
  after(async () => {
    driver.close()
    await service.stop()
  })

  await t.test('tells of what is ours, in less than a second', async (t) => {
    const control = new AbortController()
    const heard: string[] = []
    const { promise: listening, resolve: isListening } = Promise.withResolvers<void>()
    let wake = (): void => undefined
    const loop = (async () => {
      for await (const ref of driver.target.watch('test:chart:watched', control.signal)) {
        heard.push(ref)
        if (ref === '' && heard.length === 1) isListening()
        wake()
      }
    })()
    await listening
    async function until(ref: string): Promise<number> {
      const began = performance.now()
      while (!heard.includes(ref)) {
        const { promise, resolve } = Promise.withResolvers<void>()
        wake = resolve
        const limit = setTimeout(resolve, 5000)
        await promise
        clearTimeout(limit)
        assert.ok(performance.now() - began < 5000, `nothing heard of ${ref}: ${heard.join()}`)
      }
      return performance.now() - began
    }
    t.after(() => control.abort())
    heard.length = 0
    await createContainer(
      driver.podman,
      { name: 'other', image: busybox, command: ['sleep', '9'] },
      signal,
    )
    await startContainer(driver.podman, 'other', signal)
    await removeContainer(driver.podman, 'other', 0, signal)
    await stopContainer(driver.podman, 'a', 0, signal)
    assert.ok((await until('container/a')) < 1000)
    assert.deepEqual([...new Set(heard)], ['container/a'])
    heard.length = 0
    await startContainer(driver.podman, 'a', signal)
    await disconnectContainer(driver.podman, 'net', 'a', signal)
    assert.ok((await until('container/a')) < 1000)
    heard.length = 0
    await service.restart()
    await until('')
    heard.length = 0
    await removeContainer(driver.podman, 'a', 0, signal)
    await until('container/a')
    control.abort()
    await loop
  })

  await t.test('after a reboot everything comes back', async () => {
    const attached = { networks: [{ network: 'net', aliases: ['a'] }] }
    const resources = [
      network('net'),
      volume('data'),
      container('a', attached, [need('network/net')]),
    ]
    await driver.apply(resources)
    await service.restart({ isReboot: true })
    const { end, text } = await driver.apply(resources, { trigger: 'reinit' })
    assert.equal(end.outcome, 'succeeded', text)
    assert.match(text, /update container\/a/)
    assert.equal((await driver.apply(resources)).end.summary.unchanged, 3)
  })
})
