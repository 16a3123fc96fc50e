/** HAProxy under reloads, after its death, and for TLS. Real HAProxy, real traffic. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { Agent } from 'node:http'
import { createServer } from 'node:https'
import { join } from 'node:path'
import { afterEach, test } from 'node:test'
import { connect } from 'node:tls'
import { ask } from '#clients/haproxy/runtime.ts'
import { filesOf, reload } from '#clients/haproxy/proxy.ts'
import { makeCertificates } from '../testbed/docker-certificates.ts'
import { fleetBench, summaryIn, type FleetBench } from '../testbed/fleet.ts'
import { backend, endProxy, get } from '../testbed/haproxy.ts'
import { required } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'

const skip = required('haproxy')
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})
const { signal } = new AbortController()

type Scene = FleetBench & { readonly port: number; readonly tls: number; readonly proxy: string }

async function scene(): Promise<Scene> {
  const bench = await fleetBench()
  endings.push(bench.close)
  const [port, tls] = [await freePort(), await freePort()]
  const proxy = join(bench.folder, 'proxy')
  bench.write({
    'fleet.yaml': `baseDomain: fleet.test
haproxy: { folder: ${proxy}, http: '127.0.0.1:${port}', https: '127.0.0.1:${tls}' }\n`,
  })
  endings.push(() => endProxy(proxy))
  assert.equal((await bench.fleet('init')).code, 0)
  return { ...bench, port, tls, proxy }
}

test('requests over kept connections lose nothing in 20 reloads', { skip }, async () => {
  const { fleet, port, sql, proxy } = await scene()
  const dev = await backend('dev')
  endings.push(dev.close)
  sql(`insert into clusters (name, provider, http_port) values ('dev', 'k3d', ${dev.port})`)
  assert.equal((await fleet('bootstrap')).code, 0)
  assert.equal((await fleet('reconcile --from-db')).code, 0)
  let isOver = false
  let count = 0
  const wrong: string[] = []
  const agent = new Agent({ keepAlive: true, maxSockets: 4 })
  const load = Array.from({ length: 4 }, async () => {
    while (!isOver) {
      const said = await get(port, 'web.dev.fleet.test', agent).catch(
        (error: Error) => error.message,
      )
      count += 1
      if (typeof said === 'string' || said.text !== 'dev') wrong.push(JSON.stringify(said))
      // a connection that is idle when the reload comes is what is lost without care
      await new Promise((done) => setTimeout(done, count % 5))
    }
  })
  const place = { program: 'haproxy', environment: process.env, folder: proxy, http: '' }
  for (let turn = 0; turn < 20; turn += 1) await reload(place, signal)
  isOver = true
  await Promise.all(load)
  agent.destroy()
  assert.deepEqual(wrong, [])
  assert.ok(count > 100, String(count))
  console.log(`${count} requests over kept connections during 20 reloads, none failed`)
})

test(
  'an HAProxy that was killed is brought back by reconcile, with its routes',
  { skip },
  async () => {
    const { fleet, port, sql, proxy } = await scene()
    const dev = await backend('dev')
    endings.push(dev.close)
    sql(`insert into clusters (name, provider, http_port) values ('dev', 'k3d', ${dev.port})`)
    assert.equal((await fleet('bootstrap')).code, 0)
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    await endProxy(proxy)
    await assert.rejects(get(port, 'web.dev.fleet.test'))
    assert.equal((await fleet('reconcile --dry-run')).code, 3)
    await assert.rejects(get(port, 'web.dev.fleet.test'))
    const ran = await fleet('reconcile --from-db')
    assert.equal(ran.code, 0, ran.out + ran.err)
    assert.match(String(summaryIn(ran.out).get('haproxy.cfg')?.['message']), /put right/)
    assert.equal((await get(port, 'web.dev.fleet.test')).text, 'dev')
    assert.equal((await fleet('reconcile --dry-run')).code, 0)
  },
)

test(
  'HTTPS is passed through to the https_port of the cluster that its SNI names',
  { skip },
  async () => {
    const { fleet, tls, sql, folder, proxy } = await scene()
    const { server: pems } = makeCertificates(join(folder, 'certs'))
    const pem = (name: string): string => readFileSync(join(pems, `${name}.pem`), 'utf8')
    const secure = createServer({ cert: pem('cert'), key: pem('key') }, (_, answer) =>
      answer.end('dev'),
    )
    await new Promise<void>((done) => secure.listen(0, '127.0.0.1', done))
    endings.push(async () => {
      secure.closeAllConnections()
      secure.close()
    })
    const address = secure.address()
    const port = typeof address === 'object' ? (address?.port ?? 0) : 0
    const http = await freePort()
    sql(
      `insert into clusters (name, provider, http_port, https_port) values ('dev', 'k3d', ${http}, ${port})`,
    )
    assert.equal((await fleet('bootstrap')).code, 0)
    const made = await fleet('reconcile --from-db')
    assert.equal(made.code, 0, made.out + made.err)
    const ca = pem('ca')
    assert.match(await asked(tls, 'web.dev.fleet.test', ca), /\r\n\r\n.*dev/s)
    await assert.rejects(asked(tls, 'web.uat.fleet.test', ca))
    await assert.rejects(asked(tls, undefined, ca))
    // lost in the process alone: seen, and put right
    const { socket, tlsMap } = filesOf(proxy)
    await ask(socket, `clear map ${tlsMap}`, signal)
    await assert.rejects(asked(tls, 'web.dev.fleet.test', ca))
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    assert.match(await asked(tls, 'web.dev.fleet.test', ca), /dev/)
    await fleet('rm dev')
    assert.equal((await fleet('reconcile --from-db')).code, 0)
    await assert.rejects(asked(tls, 'web.dev.fleet.test', ca))
  },
)

function asked(port: number, servername: string | undefined, ca: string): Promise<string> {
  return new Promise((done, fail) => {
    const name = servername === undefined ? {} : { servername }
    const options = { host: '127.0.0.1', port, ca, checkServerIdentity: () => undefined, ...name }
    const socket = connect(options, () => {
      socket.write(`GET / HTTP/1.1\r\nHost: ${servername ?? 'x'}\r\nConnection: close\r\n\r\n`)
    })
    let text = ''
    socket.setEncoding('utf8').on('data', (part: string) => (text += part))
    socket.on('error', fail)
    socket.on('close', () => (text === '' ? fail(new Error('closed')) : done(text)))
  })
}
