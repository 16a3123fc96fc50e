/** Portainer's edge agent follows its environment into the cluster: a real API server, Portainer stood in for. */
import assert from 'node:assert/strict'
import { afterEach, test } from 'node:test'
import { startAgent } from '../testbed/edge-agent.ts'
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

    // applied is not started: only a call of the agent counts
    const silent = await fleet('validate', key)
    assert.equal(silent.code, 1)
    assert.match(silent.out, /Portainer agents +failed +shared: its agent never called Portainer/)
    const read = (kind: string, name: string): unknown => {
      const words = ['-n', 'portainer-edge', 'get', kind, name, '-o', 'json', '--ignore-not-found']
      const text = kube.kubectl(words)
      return text.trim() === '' ? undefined : JSON.parse(text)
    }
    await startAgent(portainer.url, read)
    const called = await fleet('validate', key)
    assert.equal(called.code, 0, called.out)
    assert.match(called.out, /Portainer agents +ok +all called Portainer lately/)
    kube.kubectl(['-n', 'portainer-edge', 'delete', 'service', 'portainer-edge-agent'])
    await assert.rejects(startAgent(portainer.url, read), /no such host/)
    assert.equal((await fleet('reconcile --from-db', key)).code, 0)
    await startAgent(portainer.url, read)

    // taken away inside the cluster
    kube.kubectl(['-n', 'portainer-edge', 'delete', 'deployment', 'portainer-edge-agent'])
    const repaired = await fleet('reconcile --from-db', key)
    assert.equal(summaryIn(repaired.out).get('shared')?.['action'], 'repair')
    assert.equal(environment()['EDGE']?.value, '1')

    // taken away in Portainer: another environment has another key
    const before = edgeKey()
    portainer.endpoints.splice(0)
    // and by now Portainer says who its agent has to be
    portainer.enforce()
    assert.equal((await fleet('reconcile --from-db', key)).code, 0)
    assert.notEqual(edgeKey(), before)
    assert.match(portainer.endpoints[0]?.EdgeID ?? '', /^[0-9a-f-]{36}$/)
    await startAgent(portainer.url, read)
    assert.equal((await fleet('reconcile --dry-run', key)).code, 0, 'nothing is left to do')
    assert.deepEqual(
      portainer.tags.map(({ Name }) => Name).filter((tag) => tag.startsWith('tend-cluster/')),
      ['tend-cluster/shared'],
    )
    assert.equal(edgeKey(), portainer.endpoints[0]?.EdgeKey)

    await fleet('rm shared')
    const gone = await fleet('reconcile --from-db', key)
    assert.equal(gone.code, 0, gone.out + gone.err)
    assert.equal(portainer.endpoints.length, 0)
    assert.ok(!portainer.tags.some(({ Name }) => Name.startsWith('tend-cluster/')))
    const spaces = kube.kubectl([
      'get',
      'namespaces',
      '-o',
      'jsonpath={.items[*].status.phase} {.items[*].metadata.name}',
    ])
    assert.ok(!spaces.includes('portainer-edge') || spaces.includes('Terminating'), spaces)
  },
)
