/** What other tests stand on: several Docker daemons at once, one that comes back, and docker compose as their oracle. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { dockerAt } from '#clients/docker/client.ts'
import { listContainers } from '#clients/docker/container-list.ts'
import { createContainer, startContainer, waitForExit } from '#clients/docker/containers.ts'
import { listNetworks } from '#clients/docker/networks.ts'
import { composeOracle } from '../testbed/compose-oracle.ts'
import { requiredDocker, startDocker } from '../testbed/docker.ts'
import { busybox } from '../testbed/image.ts'

const { signal } = new AbortController()
const skip = requiredDocker()
const oracle = skip === false ? composeOracle() : { path: '', skip }

test('two daemons, one of which runs privileged containers', { skip }, async () => {
  const services = await Promise.all([startDocker(), startDocker({ isPrivilegedAllowed: true })])
  for (const service of services) {
    const docker = dockerAt({ address: `unix://${service.socket}` })
    await service.addImage()
    const isRaised = service === services[1]
    const body = { Image: busybox, Cmd: ['true'], HostConfig: { Privileged: isRaised } }
    await createContainer(docker, { name: 'same-name', body }, signal)
    await startContainer(docker, 'same-name', signal)
    assert.equal(await waitForExit(docker, 'same-name', signal), 0)
    docker.close()
    writeFileSync(join(service.root, 'left'), '')
  }
  await Promise.all(services.map((service) => service.stop()))
  // another test may have its daemon in the same folder by now
  for (const { root } of services) assert.equal(existsSync(join(root, 'left')), false)
})

test(
  'docker compose brings up a stack, the client sees it, and a restart brings it back',
  {
    skip: oracle.skip,
  },
  async () => {
    const service = await startDocker()
    const docker = dockerAt({ address: `unix://${service.socket}` })
    after(async () => {
      docker.close()
      await service.stop()
    })
    await service.addImage()
    const file = join(service.root, 'compose.yaml')
    const web = { image: busybox, command: 'sleep 600', restart: 'always', init: true }
    writeFileSync(file, JSON.stringify({ services: { web } }))
    execFileSync(oracle.path, ['-p', 'shop', '-f', file, 'up', '-d'], {
      env: { ...process.env, DOCKER_HOST: `unix://${service.socket}` },
      stdio: 'pipe',
    })
    const label = 'com.docker.compose.project=shop'
    const [found] = await listContainers(docker, [label], signal)
    assert.deepEqual([found!.name, found!.state], ['shop-web-1', 'running'])
    assert.match(found!.labels['com.docker.compose.config-hash'] ?? '', /^[0-9a-f]{64}$/)
    const networks = await listNetworks(docker, [label], signal)
    assert.deepEqual(
      found!.networks.map(({ network, networkId }) => [network, networkId]),
      networks.map(({ name, id }) => [name, id]),
    )
    await service.restart()
    const [again] = await listContainers(docker, [label], signal)
    assert.deepEqual([again!.id, again!.state], [found!.id, 'running'])
  },
)
