/** Flux's own controllers, built from their modules, outside of the cluster that they work on. */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { globSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Live } from './flux-world.ts'
import { freePort } from './port.ts'
import { kubeTool, type KubeTool } from './kube-tools.ts'
import { waitFor } from './serving.ts'
import type { TestKube } from './kube.ts'

export type FluxController = {
  readonly log: () => string
  stop(): Promise<void>
}

/**
 * A controller asks the file of its pod's account for the namespace of its lease, and ends without it. It gets one that only it sees:
 * by its lease Tend knows that it is at work.
 */
const asPod = `set -e
mount -t tmpfs none /run
mkdir -p /run/secrets/kubernetes.io/serviceaccount
printf flux-system > /run/secrets/kubernetes.io/serviceaccount/namespace
exec "$@"`

/** Ends when it is well; one that ends by itself is told with its log. */
export async function startFluxController(
  kube: TestKube,
  name: KubeTool,
  words: readonly string[],
): Promise<FluxController> {
  const file = join(kube.root, `${name}.log`)
  const output = openSync(file, 'a')
  const health = await freePort()
  const common = [
    `--health-addr=127.0.0.1:${health}`,
    `--metrics-addr=127.0.0.1:${await freePort()}`,
    '--enable-leader-election',
    '--log-level=debug',
  ]
  const env = {
    ...process.env,
    KUBECONFIG: kube.kubeconfig,
    HOME: kube.root,
    RUNTIME_NAMESPACE: 'flux-system',
    POD_NAMESPACE: 'flux-system',
    TUF_ROOT: kube.root,
  }
  const own = ['-m', '--propagation', 'private', 'sh', '-c', asPod, name, kubeTool(name)]
  const child: ChildProcess = spawn('unshare', [...own, ...common, ...words], {
    env,
    cwd: kube.root,
    stdio: ['ignore', output, output],
  })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  const log = () => readFileSync(file, 'utf8')
  await waitFor(async () => {
    if (child.exitCode !== null) throw new Error(`${name} ended:\n${log().slice(-3000)}`)
    const answer = await fetch(`http://127.0.0.1:${health}/readyz`).catch(() => undefined)
    return answer?.ok === true
  })
  return {
    log,
    async stop() {
      process.off('exit', end)
      if (child.exitCode !== null || child.signalCode !== null) return
      const ended = new Promise((resolve) => child.once('exit', resolve))
      child.kill('SIGTERM')
      await ended
    },
  }
}

/** The definitions that a controller brings, as its module has them. */
export function applyDefinitions(kube: TestKube, module: string, version: string): void {
  const told = execFileSync('go', ['mod', 'download', '-json', `${module}@${version}`], {
    cwd: '/',
    encoding: 'utf8',
  })
  const folder: string = JSON.parse(told).Dir
  for (const file of globSync(join(folder, 'config/crd/bases/*.yaml'))) {
    kube.kubectl(['apply', '--server-side', '-f', file])
  }
}

/** Every state that a watch shows: Flux tries again so soon that whoever asks from time to time never sees a failure. */
export function watchKustomizations(kube: TestKube, hear: (one: Live) => void): () => void {
  const words = ['-n', 'flux-system', 'get', 'kustomizations', '-w', '-o', 'jsonpath={@}{"\\n"}']
  const child = spawn(kubeTool('kubectl'), ['--kubeconfig', kube.kubeconfig, ...words])
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (part: string) => {
    const lines = (text + part).split('\n')
    text = lines.pop() ?? ''
    for (const line of lines) hear(JSON.parse(line))
  })
  return () => void child.kill()
}
