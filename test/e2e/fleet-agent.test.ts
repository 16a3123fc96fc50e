/** Portainer's edge agent follows its environment into the cluster: a real API server, Portainer stood in for. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { fleetBench, summaryIn } from '../testbed/fleet.ts'
import { requiredKube } from '../testbed/kube-tools.ts'
import { startKube } from '../testbed/kube.ts'
import { portainerStandIn } from '../testbed/portainer-stand-in.ts'

const skip = requiredKube()
const endings: (() => unknown)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

test(
  'the agent is applied with the key of its environment, repaired, and gone with it',
  {
    skip,
  },
  async () => {
    const kube = await startKube()
    endings.push(() => kube.stop())
    const portainer = await portainerStandIn()
    endings.push(() => portainer.close())
    const bench = await fleetBench()
    endings.push(() => bench.close())
    const { fleet, write } = bench
    write({
      'fleet.yaml': `portainer:
  url: '${portainer.url}'
  key: { variable: PORTAINER_KEY }
  edgeUrl: 'http://edge.test'
  agent: { image: 'portainer/agent:2.33.2', insecure: true }
clusters: { shared: { kubeconfig: ${kube.kubeconfig} } }
`,
    })
    const key = { PORTAINER_KEY: portainer.key }
    await fleet('init')
    await fleet('add shared --provider existing')
    const made = await fleet('reconcile --from-db', key)
    assert.equal(made.code, 0, made.out + made.err)
    const object = (kind: string, name: string) =>
      JSON.parse(kube.kubectl(['-n', 'portainer-edge', 'get', kind, name, '-o', 'json']))
    const environment = (): Record<string, { value?: string; valueFrom?: unknown }> => {
      const [container] = object('deployment', 'portainer-edge-agent').spec.template.spec.containers
      return Object.fromEntries(container.env.map((one: { name: string }) => [one.name, one]))
    }
    assert.equal(environment()['EDGE']?.value, '1')
    assert.equal(environment()['EDGE_INSECURE_POLL']?.value, '1')
    const edgeKey = (): string =>
      Buffer.from(object('secret', 'portainer-edge-creds').data['edge-key'], 'base64').toString()
    assert.equal(edgeKey(), portainer.endpoints[0]?.EdgeKey)
    assert.ok(!`${made.out}${made.err}`.includes(edgeKey()))
    assert.equal((await fleet('reconcile --dry-run', key)).code, 0, 'nothing is left to do')

    // taken away inside the cluster
    kube.kubectl(['-n', 'portainer-edge', 'delete', 'deployment', 'portainer-edge-agent'])
    const repaired = await fleet('reconcile --from-db', key)
    assert.equal(summaryIn(repaired.out).get('shared')?.['action'], 'repair')
    assert.equal(environment()['EDGE']?.value, '1')

    // taken away in Portainer: another environment has another key
    const before = edgeKey()
    portainer.endpoints.splice(0)
    assert.equal((await fleet('reconcile --from-db', key)).code, 0)
    assert.notEqual(edgeKey(), before)
    assert.equal(edgeKey(), portainer.endpoints[0]?.EdgeKey)

    await fleet('rm shared')
    const gone = await fleet('reconcile --from-db', key)
    assert.equal(gone.code, 0, gone.out + gone.err)
    assert.equal(portainer.endpoints.length, 0)
    const spaces = kube.kubectl([
      'get',
      'namespaces',
      '-o',
      'jsonpath={.items[*].status.phase} {.items[*].metadata.name}',
    ])
    assert.ok(!spaces.includes('portainer-edge') || spaces.includes('Terminating'), spaces)
  },
)
