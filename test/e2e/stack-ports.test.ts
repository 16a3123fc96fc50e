/** A taken port is told before anything is made, whoever holds it: a process, another stack, another engine on the same host. */
import assert from 'node:assert/strict'
import { createSocket } from 'node:dgram'
import { createServer, type Server } from 'node:net'
import { test, type TestContext } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { bothEngines } from '../testbed/both-engines.ts'
import { driveStack, type StackDriver } from '../testbed/drive-stack.ts'
import { busybox } from '../testbed/image.ts'
import { freePort } from '../testbed/port.ts'
import type { Driven } from '../testbed/drive.ts'
import { succeeded } from './stack-bench.ts'

const never = new AbortController().signal
const [docker, podman] = bothEngines
const skip = docker[1] || podman[1]

/** A stack of two: only one of them publishes. */
function text(port: string): string {
  return `services:
  web: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s, ports: ["${port}"] }
  db: { image: ${busybox}, command: sleep 1000, stop_grace_period: 0s }
`
}

function listening(t: TestContext, port: number, options: object): Promise<Server> {
  const server = createServer()
  t.after(() => void server.close())
  return new Promise((resolve) => {
    server.listen({ port, exclusive: true, ...options }, () => resolve(server))
  })
}

test('ports that are taken', { skip, timeout: 240_000 }, async (t) => {
  const engines = new Map<string, { readonly socket: string; readonly root: string }>()
  for (const [name, , start] of bothEngines) {
    const engine = await start()
    t.after(() => engine.stop())
    engines.set(name, engine)
  }
  function stackOn(own: TestContext, name: string, project: string): StackDriver {
    const { socket, root } = engines.get(name)!
    const driver = driveStack(socket, root, project)
    own.after(async () => {
      await driver.down()
      driver.close()
    })
    return driver
  }
  /** Refused, with nothing made; what was said. */
  async function refusal(driver: StackDriver, run: Driven): Promise<string> {
    assert.equal(run.end.outcome, 'refused', run.text)
    assert.deepEqual(await driver.ids(), {})
    const networks = await listNetworks(driver.docker, [], never)
    assert.equal(
      networks.find(({ name }) => name === `${driver.project}_default`),
      undefined,
    )
    const [skipped] = run.plan?.skipped ?? []
    assert.equal(skipped?.problem.code, 'port_taken')
    return skipped.problem.message
  }

  for (const [name] of bothEngines) {
    await t.test(`by a process, on ${name}`, async (own) => {
      const driver = stackOn(own, name, 'process')
      const port = await freePort()
      const server = await listening(own, port, { host: '127.0.0.1' })
      const why = await refusal(driver, await driver.up(text(`${port}:80`)))
      assert.equal(why, `host port ${port}/tcp is in use by node (process ${process.pid})`)
      // another address of the same port is free
      succeeded(await driver.up(text(`127.0.0.2:${port}:80`)))
      await driver.down()
      await refusal(driver, await driver.up(text(`127.0.0.1:${port}:80`)))
      await new Promise((resolve) => server.close(resolve))
      succeeded(await driver.up(text(`${port}:80`)))
      // its own is no obstacle to a second run, nor to its successor
      assert.equal(succeeded(await driver.up(text(`${port}:80`))).plan?.groups.length, 0)
      succeeded(await driver.up(text(`${port}:80`).replace('sleep 1000', 'sleep 1001')))
    })

    await t.test(`UDP, IPv6 and ranges, on ${name}`, async (own) => {
      const driver = stackOn(own, name, 'kinds')
      const udp = await freePort()
      const socket = createSocket('udp4')
      own.after(() => void socket.close())
      await new Promise<void>((resolve) => socket.bind(udp, '0.0.0.0', resolve))
      const why = await refusal(driver, await driver.up(text(`${udp}:53/udp`)))
      assert.match(why, new RegExp(`host port ${udp}/udp is in use by node`))
      succeeded(await driver.up(text(`${udp}:53/tcp`)))
      await driver.down()
      const both = await freePort()
      await listening(own, both, { host: '::' })
      await refusal(driver, await driver.up(text(`127.0.0.1:${both}:80`)))
      await refusal(driver, await driver.up(text(`[::1]:${both}:80`)))
      const six = await freePort()
      const holder = await listening(own, six, { host: '::1', ipv6Only: true })
      const held = await refusal(driver, await driver.up(text(`[0:0:0:0:0:0:0:1]:${six}:80`)))
      assert.match(held, new RegExp(`host port ${six}/tcp of 0:0:0:0:0:0:0:1 is in use by node`))
      // the same port of IPv4 is another one
      succeeded(await driver.up(text(`127.0.0.1:${six}:80`)))
      await driver.down()
      await new Promise((resolve) => holder.close(resolve))
      succeeded(await driver.up(text(`[::1]:${six}:80`)))
      assert.equal(succeeded(await driver.up(text(`[::1]:${six}:80`))).plan?.groups.length, 0)
      await driver.down()
      const [one, two] = [await freePort(), await freePort()]
      assert.equal(two, one + 1)
      await listening(own, one, { host: '0.0.0.0' })
      succeeded(await driver.up(text(`${one}-${two}:80`)))
      await driver.down()
      await listening(own, two, { host: '0.0.0.0' })
      const all = await refusal(driver, await driver.up(text(`${one}-${two}:80`)))
      assert.match(all, new RegExp(`all of the host ports ${one}-${two}/tcp are in use by`))
    })

    const other = name === 'Docker' ? 'Podman' : 'Docker'
    await t.test(`by ${other}, seen from ${name}; and by another stack`, async (own) => {
      const port = await freePort()
      const holder = stackOn(own, other, 'holder')
      succeeded(await holder.up(text(`${port}:80`)))
      const driver = stackOn(own, name, 'late')
      const why = await refusal(driver, await driver.up(text(`${port}:80`)))
      assert.match(
        why,
        other === 'Podman'
          ? /in use by container holder-web-1 of Podman on this machine: conmon \(process \d+\)/
          : /in use by a container of another Docker on this machine, at [0-9.]+: docker-proxy/,
      )
      const late = stackOn(own, other, 'late')
      const message = await refusal(late, await late.up(text(`${port}:80`)))
      assert.match(message, /is held by container holder-web-1 of stack holder/)
    })
  }

  await t.test('of an engine elsewhere nothing is said before', async (own) => {
    const port = await freePort()
    await listening(own, port, { host: '127.0.0.1' })
    const { takenPorts } = await import('#domains/stacks/observe/taken-ports.ts')
    const driver = stackOn(own, 'Docker', 'far')
    const wanted = new Map(driver.render(text(`${port}:80`)).resources.map((one) => [one.ref, one]))
    const lists = { containers: [], networks: [], volumes: [] }
    const { emptyMemory } = await import('#domains/stacks/memory.ts')
    const view = { lists, wanted, owner: 'x', memory: emptyMemory() }
    assert.equal((await takenPorts(driver.docker, view)).size, 1)
    const far = dockerAt({ address: 'tcp://203.0.113.1:2375' })
    assert.equal((await takenPorts(far, view)).size, 0)
    far.close()
    // a socket that was only mounted here, as into a container, is not listed in this network
    const mounted = { ...driver.docker, address: 'unix:///run/not-listed.sock' }
    assert.equal((await takenPorts(mounted, view)).size, 0)
  })
})
