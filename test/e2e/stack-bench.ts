/** The same tests of the stacks on a real Docker and on a real Podman, each with a proxy before it. */
import { after, test, type TestContext } from 'node:test'
import assert from 'node:assert/strict'
import { startDocker } from '../testbed/docker.ts'
import { driveStack, type StackDriver } from '../testbed/drive-stack.ts'
import type { Driven } from '../testbed/drive.ts'
import { addImage } from '../testbed/image.ts'
import { required } from '../testbed/packages.ts'
import { startPodman } from '../testbed/podman.ts'
import { startProxy, type Proxy } from '../testbed/proxy.ts'

export type EngineName = 'Docker' | 'Podman'

export type StackBench = {
  readonly engineName: EngineName
  readonly t: TestContext
  /** The engine's own socket, without the proxy. */
  readonly socket: string
  readonly root: string
  readonly proxy: Proxy
  readonly addImage: (name?: string, mark?: string) => Promise<string>
  /** A project of its own, so that tests on one engine leave each other alone; taken down when the test ends. */
  readonly stack: (t: TestContext, project: string) => StackDriver
}

type Engine = {
  readonly socket: string
  readonly root: string
  addImage(name?: string, mark?: string): Promise<string>
  stop(): Promise<void>
}

const starts: Readonly<Record<EngineName, () => Promise<Engine>>> = {
  async Docker() {
    return startDocker()
  },
  async Podman() {
    const service = await startPodman()
    const { socket, root } = service
    return {
      socket,
      root,
      addImage: (name, mark) => addImage(socket, name, mark),
      stop: () => service.stop(),
    }
  },
}

export function onBothEngines(suite: (bench: StackBench) => Promise<void>): void {
  onEngine('Docker', required('dockerd'), suite)
  onEngine('Podman', required('podman'), suite)
}

export function onEngine(
  engineName: EngineName,
  skip: false | string,
  suite: (bench: StackBench) => Promise<void>,
): void {
  void test(engineName, { skip }, async (t) => {
    const engine = await starts[engineName]()
    const proxy = await startProxy(engine.socket)
    after(async () => {
      await proxy.stop()
      await engine.stop()
    })
    await engine.addImage()
    function stack(own: TestContext, project: string): StackDriver {
      const driver = driveStack(proxy.socket, engine.root, project)
      own.after(async () => {
        proxy.plan(() => 'pass')
        await driver.down({ options: { ...driverOptions, pruneVolumes: true } })
        driver.close()
      })
      return driver
    }
    const { socket, root } = engine
    await suite({
      engineName,
      t,
      socket,
      root,
      proxy,
      addImage: (name, mark) => engine.addImage(name, mark),
      stack,
    })
  })
}

export const driverOptions = {
  isAtomic: true,
  waits: true,
  timeout: 20_000,
  concurrency: 8,
  allowEmpty: true,
  allowMassDelete: true,
  recreateVolumes: false,
  pruneVolumes: false,
} as const

export function succeeded(driven: Driven): Driven {
  const told = driven.problems.map((problem) =>
    [problem.message, ...(problem.details ?? [])].join('\n'),
  )
  assert.equal(driven.end.outcome, 'succeeded', told.join('\n') || driven.text)
  return driven
}
