/** Real kind on a real Docker: another cluster under a known name is left alone, and ports count as the engine has them. */
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { realFleet, requiredReal, type RealFleet } from '../testbed/fleet-real.ts'
import { summaryIn } from '../testbed/fleet.ts'
import { backend } from '../testbed/haproxy.ts'
import { kindNode } from '../testbed/kind-node.ts'
import { portainerStandIn, type PortainerStandIn } from '../testbed/portainer-stand-in.ts'
import { freePort } from '../testbed/port.ts'

const skip = requiredReal()
let real: RealFleet
let portainer: PortainerStandIn

before(async () => {
  if (skip !== false) return
  portainer = await portainerStandIn()
  process.env['PORTAINER_KEY'] = portainer.key
  real = await realFleet(
    `portainer: { url: '${portainer.url}', key: { variable: PORTAINER_KEY }, agent: {} }\n`,
  )
})

after(async () => {
  if (skip !== false) return
  await real.close()
  await portainer.close()
})

test(
  'a kind cluster that was deleted and made anew by hand is a stranger until it is adopted',
  { skip },
  async () => {
    const { fleet, kind, write, folder } = real
    assert.equal((await fleet('init')).code, 0)
    const port = await freePort()
    const ports = `--http-port ${port} --https-port ${await freePort()}`
    assert.equal((await fleet(`add dev --provider kind --no-route ${ports}`)).code, 0)
    assert.equal(
      (await fleet('set dev config.nodes=[{"role":"control-plane","labels":{"a":"b"}}]')).code,
      0,
    )
    assert.equal((await fleet('bootstrap')).code, 0)
    // somebody takes the port between the row and its cluster: kind's own words tell
    const holder = await backend('holder', port)
    const taken = await fleet('reconcile --from-db')
    await holder.close()
    assert.equal(taken.code, 1, taken.out)
    assert.match(
      String(summaryIn(taken.out).get('dev')?.['message']),
      new RegExp(`127\\.0\\.0\\.1:${port}.*(already in use|already allocated)`),
    )
    const made = await fleet('reconcile --from-db')
    assert.equal(made.code, 0, made.out + made.err)
    assert.equal((await fleet('verify')).code, 0)
    assert.match(real.engine('port', 'dev-control-plane'), /80\/tcp -> 127\.0\.0\.1/)

    const nobodys = join(folder, 'nobodys')
    kind('delete', 'cluster', '--name', 'dev', '--kubeconfig', nobodys)
    write({
      'kind.yaml':
        'kind: Cluster\napiVersion: kind.x-k8s.io/v1alpha4\nnetworking: { disableDefaultCNI: true }\n',
    })
    const config = ['--config', join(folder, 'kind.yaml'), '--kubeconfig', nobodys]
    kind('create', 'cluster', '--name', 'dev', '--image', kindNode, ...config)
    const verify = await fleet('verify')
    assert.equal(verify.code, 11, verify.out)
    assert.match(verify.out, /somebody made dev anew/)
    const ran = await fleet('reconcile --from-db --recreate')
    assert.equal(ran.code, 11, ran.out + ran.err)
    assert.equal((await fleet('clean --all')).code, 0)
    assert.equal(kind('get', 'clusters').trim(), 'dev')

    assert.equal((await fleet('adopt dev --provider kind')).code, 0)
    const drifted = await fleet('verify')
    assert.equal(drifted.code, 11, drifted.out)
    assert.match(drifted.out, /httpPort \(none\) → \d+, httpsPort \(none\) → \d+/)
    // its agent goes into the cluster as it is now, and again into the one that takes its place
    assert.equal((await fleet('reconcile --from-db')).code, 11)
    assert.deepEqual(
      portainer.endpoints.map(({ Name }) => Name),
      ['dev'],
    )
    const again = await fleet('reconcile --from-db --recreate')
    assert.equal(again.code, 0, again.out + again.err)
    assert.equal(summaryIn(again.out).get('dev')?.['action'], 'recreate')
    assert.equal((await fleet('verify')).code, 0)
    const left = await fleet('reconcile --dry-run')
    assert.equal(left.code, 0, `nothing is left to do:\n${left.out}`)
  },
)
