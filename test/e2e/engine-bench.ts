/** A real engine with a proxy before it and a registry beside it, for the tests of the Engine API's client. */
import assert from 'node:assert/strict'
import { after, test, type TestContext } from 'node:test'
import { dockerAt, type Docker } from '#clients/docker/client.ts'
import { createContainer } from '#clients/docker/containers.ts'
import { type TarEntry } from '#clients/docker/tar.ts'
import { authHeader } from '#clients/registry/auth-header.ts'
import { Problem } from '#model/problem.ts'
import { busybox } from '../testbed/image.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'
import { startRegistry, type Registry } from '../testbed/registry.ts'
import type { JsonRecord } from '#model/json.ts'

export const { signal } = new AbortController()

export type EngineName = 'Docker' | 'Podman'

export type TestEngine = {
  readonly socket: string
  addImage(name?: string, mark?: string): Promise<string>
  push(registry: Registry, image: string, name: string): Promise<void>
  stop(): Promise<void>
}

export type Bench = {
  readonly engineName: EngineName
  readonly t: TestContext
  readonly engine: TestEngine
  readonly registry: Registry
  /** Stands between the client and the engine. */
  readonly proxy: Proxy
  readonly docker: Docker
  /** A container of busybox, labelled `test=NAME`. */
  readonly create: (
    name: string,
    command: readonly string[],
    more?: JsonRecord,
  ) => ReturnType<typeof createContainer>
}

export function withEngine(
  engineName: EngineName,
  skip: false | string,
  start: (plainRegistries: readonly string[]) => Promise<TestEngine>,
  ...suites: readonly ((bench: Bench) => Promise<void>)[]
): void {
  void test(engineName, { skip }, async (t) => {
    const registry = await startRegistry()
    const engine = await start([registry.host])
    const proxy = await startProxy(engine.socket)
    const docker = dockerAt({ address: `unix://${proxy.socket}` })
    after(async () => {
      docker.close()
      await proxy.stop()
      await engine.stop()
      await registry.stop()
    })
    await engine.addImage()
    const create: Bench['create'] = (container, command, more = {}) => {
      const body = { Image: busybox, Cmd: command, Labels: { test: container }, ...more }
      return createContainer(docker, { name: container, body }, signal)
    }
    const bench = { engineName, t, engine, registry, proxy, docker, create }
    for (const suite of suites) await suite(bench)
  })
}

export function codeIs(code: string): (error: unknown) => boolean {
  return (error) => {
    assert.ok(error instanceof Problem, String(error))
    assert.equal(error.code, code, error.message)
    return true
  }
}

export function file(path: string, text: string, more: Partial<TarEntry> = {}): TarEntry {
  return { path, mode: 0o644, ...more, type: 'file', content: Buffer.from(text) }
}

export function authOf(registry: Registry): string {
  return authHeader({ username: registry.user, password: registry.password, email: 'a' })
}
