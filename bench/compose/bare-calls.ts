/** Only the calls that make a stack: all are created at once and started in order, without any waiting for health. */
import type { Docker } from '#clients/docker/client.ts'
import { busybox } from '../../test/testbed/image.ts'
import type { Project } from './fifty-stacks.ts'

const { signal } = new AbortController()
const doing = 'the bare calls failed'

export function bareCalls(
  docker: Docker,
  { name }: Project,
): { readonly run: () => Promise<void>; readonly after: () => Promise<void> } {
  const network = `${name}_bare`
  const containers = ['first', 'second', 'third'].map((service) => `${name}-${service}-bare`)
  async function create(container: string): Promise<void> {
    const body = {
      Image: busybox,
      Cmd: ['/bin/sleep', '100000'],
      HostConfig: { NetworkMode: network },
    }
    const query = { name: container }
    await docker.ask('POST', '/containers/create', { query, body, signal, doing })
  }
  return {
    async run() {
      const made = { Name: network, Driver: 'bridge' }
      await docker.ask('POST', '/networks/create', { body: made, signal, doing })
      await Promise.all(containers.map(create))
      for (const container of containers) {
        await docker.ask('POST', `/containers/${container}/start`, { signal, doing })
      }
    },
    async after() {
      for (const container of containers) {
        await docker.ask('DELETE', `/containers/${container}`, {
          query: { force: true, v: true },
          signal,
          doing,
        })
      }
      await docker.ask('DELETE', `/networks/${network}`, { signal, doing })
    },
  }
}
