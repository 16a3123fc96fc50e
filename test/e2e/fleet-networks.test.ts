/** The shared network that bootstrap makes is one that k3d takes: real Docker, k3d stood in for. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { afterEach, test } from 'node:test'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { fleetBench, summaryIn } from '../testbed/fleet.ts'
import { whereIs } from '../testbed/packages.ts'

const noClient = whereIs('docker') === undefined ? 'there is no docker command' : false
const skip = requiredDocker() || noClient
const endings: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const end of endings.splice(0).toReversed()) await end()
})

test(
  'a shared network has a gateway, and one without is told before k3d fails on it',
  { skip },
  async () => {
    const docker = await startDocker()
    endings.push(() => docker.stop())
    const bench = await fleetBench()
    endings.push(bench.close)
    const own = { DOCKER_HOST: `unix://${docker.socket}` }
    const engine = (...words: readonly string[]): string =>
      execFileSync('docker', words, { env: { ...process.env, ...own }, encoding: 'utf8' })
    bench.write({
      'fleet.yaml': `networks: [{ name: k3d-shared, subnet: 10.213.0.0/16 }]
providers: { k3d: { network: k3d-shared } }\n`,
    })
    assert.equal((await bench.fleet('init', own)).code, 0)
    assert.equal((await bench.fleet('add dev --provider k3d', own)).code, 0)
    engine('network', 'create', '--subnet', '10.213.0.0/16', 'k3d-shared')
    const [{ IPAM }] = JSON.parse(engine('network', 'inspect', 'k3d-shared'))
    if (IPAM.Config[0].Gateway === undefined) {
      const told = await bench.fleet('bootstrap', own)
      assert.equal(told.code, 1, told.out)
      assert.match(told.out, /the network k3d-shared has no gateway.*docker network rm k3d-shared/)
      const failed = await bench.fleet('reconcile --from-db', own)
      assert.match(
        String(summaryIn(failed.out).get('dev')?.['message']),
        /no gateway defined for network k3d-shared/,
      )
    }
    engine('network', 'rm', 'k3d-shared')
    const booted = await bench.fleet('bootstrap', own)
    assert.equal(booted.code, 0, booted.out)
    const [made] = JSON.parse(engine('network', 'inspect', 'k3d-shared'))
    assert.equal(made.IPAM.Config[0].Gateway, '10.213.0.1')
    const ran = await bench.fleet('reconcile --from-db', own)
    assert.equal(ran.code, 0, ran.out + ran.err)
  },
)
