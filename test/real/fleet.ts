/** The fleet's cycle against the kind, k3d, kwok and Portainer that this machine has: `npm run test:fleet-real`. */
import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { test } from 'node:test'
import { kwokSettings } from '../testbed/fleet-real.ts'
import { summaryIn } from '../testbed/fleet.ts'
import { endProxy } from '../testbed/haproxy.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { whereIs } from '../testbed/packages.ts'
import { freePort } from '../testbed/port.ts'
import { tendOn } from '../testbed/tend.ts'

const { env } = process
const portainer = env['TEND_REAL_PORTAINER_URL']
const providers = [
  { provider: 'kind', image: env['TEND_REAL_KIND_IMAGE'] },
  { provider: 'k3d', image: env['TEND_REAL_K3D_IMAGE'] },
  { provider: 'kwok', image: undefined },
] as const
const names = ['tend-real-a', 'tend-real-b', 'tend-real-c']
const leftOut: string[] = []
let ran = 0

function leaveOut(what: string): void {
  if (!leftOut.includes(what)) leftOut.push(what)
}

for (const { provider, image } of providers) {
  const skip = missing(provider)
  if (skip !== false) leaveOut(`${provider}: ${skip}`)
  await test(`clean, bootstrap, reconcile, validate with real ${provider}`, { skip }, async () => {
    ran += 1
    const { folder, tend, write, remove } = tendOn('/nonexistent')
    const proxy = join(folder, 'proxy')
    const fleet = (line: string) => tend(`fleet ${line} --db ${join(folder, 'fleet.db')}`)
    write({ 'fleet.yaml': settings(provider, image, folder, await freePort()) })
    try {
      assert.equal((await fleet('init')).code, 0)
      for (const name of names) {
        // only k3d brings somebody who answers behind a route; without a controller manager no account gets a token
        const route = provider === 'k3d' ? '' : ' --no-route'
        const ports = `--http-port ${await freePort()} --https-port ${await freePort()}${route}`
        const added = await fleet(`add ${name} --provider ${provider} ${ports}`)
        assert.equal(added.code, 0, added.err)
      }
      if (whereIs('haproxy') !== undefined) assert.equal((await fleet('bootstrap')).code, 0)
      const made = await fleet('reconcile --from-db')
      assert.equal(made.code, 0, made.out + made.err)
      assert.equal((await fleet('verify')).code, 0)
      const valid = await fleet('validate')
      assert.equal(valid.code, 0, valid.out)
      const quiet = await fleet('reconcile --from-db')
      for (const item of summaryIn(quiet.out).values()) assert.equal(item['action'], 'noop')

      assert.equal((await fleet(`stop ${names[0]}`)).code, 0)
      assert.equal((await fleet('verify')).code, 11)
      const started = await fleet('reconcile --from-db')
      assert.equal(started.code, 0, started.out + started.err)
      assert.equal(summaryIn(started.out).get(names[0]!)?.['action'], 'start')

      await fleet(`rm ${names[1]}`)
      assert.equal((await fleet('reconcile --from-db')).code, 0)
      assert.equal((await fleet('clean')).code, 0)
      assert.equal((await fleet('verify')).code, 10)
    } finally {
      const cleaned = await fleet('clean --all')
      await endProxy(proxy)
      remove()
      assert.equal(cleaned.code, 0, cleaned.out + cleaned.err)
    }
  })
}

await test('something was run', () => {
  for (const what of leftOut) console.error(`LEFT OUT: ${what}`)
  assert.ok(ran > 0, `nothing of it is on this machine:\n${leftOut.join('\n')}`)
})

function missing(provider: string): false | string {
  if (provider === 'kwok') {
    const tools = ['kube-apiserver', 'kubectl', 'kwokctl', 'kwok'] as const
    return whereIs('etcd') === undefined ? 'there is no etcd on the PATH' : requiredKube(tools)
  }
  if (whereIs(provider) === undefined) return `there is no ${provider} on the PATH`
  const { status } = spawnSync('docker', ['info'], { stdio: 'ignore' })
  return status === 0 ? false : 'docker info fails: there is no Docker to make clusters on'
}

function settings(
  provider: string,
  image: string | undefined,
  folder: string,
  port: number,
): string {
  const lines = ['baseDomain: fleet.test', 'name: tend-real']
  const proxy = join(folder, 'proxy')
  if (provider === 'kwok') lines.push(`providers: { kwok: ${kwokSettings(folder)} }`)
  if (image !== undefined) lines.push(`providers: { ${provider}: { image: '${image}' } }`)
  if (whereIs('haproxy') !== undefined) {
    lines.push(`haproxy: { folder: ${proxy}, http: '127.0.0.1:${port}' }`)
  } else leaveOut('routes: there is no haproxy')
  if (portainer === undefined) leaveOut('Portainer: TEND_REAL_PORTAINER_URL is unset')
  else {
    const edge = env['TEND_REAL_PORTAINER_EDGE_URL'] ?? portainer
    const key = 'key: { variable: TEND_REAL_PORTAINER_KEY }'
    lines.push(`portainer: { url: '${portainer}', ${key}, edgeUrl: '${edge}', agent: {} }`)
  }
  return `${lines.join('\n')}\n`
}
