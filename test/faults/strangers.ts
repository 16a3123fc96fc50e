/** A container, a network and a volume that are nobody's: made before a sweep, and the same ones after every fault of it. */
import assert from 'node:assert/strict'
import type { Docker } from '#clients/docker/client.ts'
import { busybox } from '../testbed/image.ts'

const { signal } = new AbortController()
const doing = 'make a stranger'
const container = 'stranger'
const network = 'stranger-net'
export const strangerVolume = 'stranger-data'

export type Strangers = {
  /** Throws when one of them is gone, was made anew or was restarted. */
  check(when: string): Promise<void>
}

export async function makeStrangers(docker: Docker): Promise<Strangers> {
  const body = {
    Image: busybox,
    Cmd: ['sleep', '100000'],
    HostConfig: { Binds: [`${strangerVolume}:/data`], NetworkMode: network },
  }
  await docker.ask('POST', '/volumes/create', { signal, doing, body: { Name: strangerVolume } })
  await made(docker)
  await docker.ask('POST', `/containers/create?name=${container}`, { signal, doing, body })
  await docker.ask('POST', `/containers/${container}/start`, { signal, doing })
  const before = await seen()

  async function ask(path: string): Promise<unknown> {
    return (await docker.ask('GET', path, { signal, doing: 'look at a stranger' })).body
  }

  async function seen(): Promise<unknown> {
    const [one, net, volume] = [
      await ask(`/containers/${container}/json`),
      await ask(`/networks/${network}`),
      await ask(`/volumes/${strangerVolume}`),
    ]
    return {
      container: partsOf(one, ['Id', 'Name', 'RestartCount']),
      state: partsOf(partsOf(one, ['State'])['State'], ['Status', 'StartedAt', 'Pid']),
      network: partsOf(net, ['Id', 'Created']),
      volume: partsOf(volume, ['Name', 'CreatedAt', 'Mountpoint']),
    }
  }

  return {
    async check(when) {
      assert.deepEqual(await seen(), before, when)
    },
  }
}

/** Podman looks through the interfaces of the machine, of which another test may remove one at that moment. */
async function made(docker: Docker): Promise<void> {
  for (let tries = 1; ; tries += 1) {
    try {
      await docker.ask('POST', '/networks/create', { signal, doing, body: { Name: network } })
      return
    } catch (thrown) {
      if (tries === 5 || !/no such network interface/.test(String(thrown))) throw thrown
    }
  }
}

function partsOf(whole: unknown, keys: readonly string[]): Readonly<Record<string, unknown>> {
  assert.ok(typeof whole === 'object' && whole !== null)
  return Object.fromEntries(Object.entries(whole).filter(([key]) => keys.includes(key)))
}
