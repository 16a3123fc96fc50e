/** Somebody else gets the name of a container, a network or a volume in the moment before a call of ours reaches the engine. */
import assert from 'node:assert/strict'
import { createContainer, inspectContainer, removeContainer } from '#clients/docker/containers.ts'
import type { Docker } from '#clients/docker/client.ts'
import type { JsonRecord } from '#model/json.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import { busybox } from './image.ts'
import type { Call, Proxy } from './proxy.ts'

const { signal } = new AbortController()

export type Thief = {
  /** Throws when the name was never taken, or when who took it was touched. */
  assertUntouched(): Promise<void>
  /** Gives the name free. */
  leave(): Promise<unknown>
}

/**
 * At the first call that fits: `name` is removed, and a stranger's container has the name, which was never started. `docker`: past
 * the proxy. `network`: where it is, if it is to be on one.
 */
export function takeAt(
  proxy: Proxy,
  docker: Docker,
  fits: (call: Call) => boolean,
  find: () => Promise<string> | string,
  network?: string,
): Thief {
  let taken: { readonly id: string; readonly name: string } | undefined
  let before: unknown
  proxy.before(async (call) => {
    if (taken !== undefined || !fits(call)) return
    const name = await find()
    taken = { id: '', name }
    await removeContainer(docker, name, false, signal)
    const HostConfig = network === undefined ? {} : { NetworkMode: network }
    const body = { Image: busybox, Cmd: ['sleep', '1000'], HostConfig }
    const { id } = await createContainer(docker, { name, body }, signal)
    taken = { id, name }
    before = await seen(id)
  })

  async function seen(id: string): Promise<unknown> {
    const found = recordOf(await inspectContainer(docker, id, signal))
    const { Status, StartedAt } = recordOf(found['State'])
    const networks = recordOf(recordOf(found['NetworkSettings'])['Networks'])
    return { name: textOf(found['Name']), Status, StartedAt, networks: Object.keys(networks) }
  }

  return {
    async assertUntouched() {
      proxy.before(undefined)
      assert.ok(taken !== undefined && taken.id !== '', 'nobody took the name')
      assert.deepEqual(await seen(taken.id), before)
    },
    async leave() {
      if (taken !== undefined) await removeContainer(docker, taken.id, true, signal)
    },
  }
}

/** At the first call that fits and finds it unused: the network or volume of this name is removed, and a stranger's has the name. */
export function takeObjectAt(
  proxy: Proxy,
  docker: Docker,
  fits: (call: Call) => boolean,
  kind: 'networks' | 'volumes',
  name: string,
): Thief {
  let isTaken = false
  const stranger = { stranger: 'yes' }
  // one that is still in use can't be taken yet
  const fine = [403, 404, 409]
  const call = (method: 'GET' | 'POST' | 'DELETE', path: string, body?: JsonRecord) =>
    docker.ask(method, path, { signal, doing: path, fine, ...(body ? { body } : {}) })
  proxy.before(async (made) => {
    if (isTaken || !fits(made)) return
    const { status } = await call('DELETE', `/${kind}/${name}`)
    if (status >= 400) return
    isTaken = true
    await call('POST', `/${kind}/create`, { Name: name, Labels: stranger })
  })
  return {
    async assertUntouched() {
      proxy.before(undefined)
      assert.ok(isTaken, 'nobody took the name')
      const { body } = await call('GET', `/${kind}/${name}`)
      assert.deepEqual(recordOf(body)['Labels'], stranger)
    },
    leave: () => call('DELETE', `/${kind}/${name}`),
  }
}

/** Calls that change a container, or run something in it, and say which by something else than its id. */
export function callsByName(calls: readonly Call[]): readonly string[] {
  return calls
    .filter(({ isWrite, path }) => isWrite || path.endsWith('/healthcheck'))
    .filter(({ path }) => {
      const [, which] = /\/containers\/([^/?]+)/.exec(path) ?? []
      return which !== undefined && which !== 'create' && !/^[0-9a-f]{64}$/.test(which)
    })
    .map(({ method, path }) => `${method} ${path}`)
}
