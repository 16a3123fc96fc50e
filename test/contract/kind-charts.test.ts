/** The contract of kinds on charts, with a real Podman. */
import { after, before } from 'node:test'
import { listContainers, removeContainer, runHealthCheck } from '#clients/podman/containers.ts'
import { listNetworks } from '#clients/podman/networks.ts'
import { chartsKind } from '#domains/charts/domain.ts'
import { label } from '#domains/charts/labels.ts'
import type { Rendered } from '#model/domain.ts'
import type { Resource } from '#model/resource.ts'
import { vaultOf } from '#model/vault.ts'
import { container, drive, inside, network, secret, sealed, type Driver } from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman, type TestPodman } from '../testbed/podman.ts'
import { kindContract } from './kind.ts'

const skip = required('podman')
const { signal } = new AbortController()
const password = 'correct horse battery staple'
let service: TestPodman

before(async () => {
  if (skip !== false) return
  service = await startPodman()
  await addImage(service.socket)
})

after(async () => {
  if (skip === false) await service.stop()
})

const health = {
  test: ['CMD', 'test', '-e', '/tmp/well'],
  intervalSeconds: 1,
  timeoutSeconds: 3,
  startPeriodSeconds: 0,
  retries: 2,
}

function resourcesOf(driver: Driver, greeting: string, other: string): readonly Resource[] {
  return [
    network('net'),
    secret('login', { password: sealed(driver, 'password', password) }),
    container(
      'web',
      {
        args: ['sh', '-c', 'touch /tmp/well; sleep 1000'],
        env: { GREETING: greeting },
        networks: [{ network: 'net', aliases: ['web'] }],
        secretEnv: { PASSWORD: { from: 'secret/login', output: 'password' } },
        health,
      },
      [
        { ref: 'network/net', until: 'exists', renew: false },
        { ref: 'secret/login', until: 'exists', renew: true },
      ],
    ),
    container(other),
  ]
}

let number = 0

kindContract(
  'charts',
  async () => {
    number += 1
    const name = `contract-${number}`
    const driver = drive(service.socket, name)
    const owner = `test:chart:${name}`
    function rendered(greeting: string, other: string): Rendered {
      const resources = resourcesOf(driver, greeting, other)
      const none = { problems: [], warnings: [], isIncomplete: false, version: '1.0.0' }
      return { ...none, resources, vault: vaultOf(new Map(driver.secrets), new Uint8Array([7])) }
    }
    return {
      kind: chartsKind,
      target: driver.target,
      application: { kind: 'chart', namespace: null, name },
      first: () => rendered('hello', 'old'),
      second: () => rendered('good day', 'new'),
      secret: password,
      async sketch() {
        const isOurs = ({ labels }: { readonly labels: Readonly<Record<string, string>> }) =>
          labels[label.owner] === owner
        const containers = (await listContainers(driver.podman, signal)).filter(isOurs)
        const networks = (await listNetworks(driver.podman, signal)).filter(isOurs)
        return [
          ...containers.map((one) => `container ${one.name} ${one.state}`),
          ...networks.map((one) => `network ${one.name}`),
        ].toSorted()
      },
      async drift() {
        await removeContainer(driver.podman, 'old', 0, signal)
      },
      async sicken() {
        await inside(driver, 'web', ['rm', '/tmp/well'])
        // the last good answer of Podman's own log no longer counts then
        while ((await runHealthCheck(driver.podman, 'web', signal))?.isHealthy === true);
      },
      async close() {
        await driver.uninstall()
        driver.close()
      },
    }
  },
  { skip },
)
