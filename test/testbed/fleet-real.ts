/** A fleet of real clusters: kind on a Docker of its own, kwok from the cached tools, HAProxy before them. */
import { spawnSync } from 'node:child_process'
import { join } from 'node:path'
import { requiredDocker, startDocker, type TestDocker } from './docker.ts'
import { fleetBench, type FleetBench } from './fleet.ts'
import { endProxy } from './haproxy.ts'
import { kindNode, kindNodeChanges, kindNodeTar } from './kind-node.ts'
import { kubeTool, requiredKube } from './kube-tools.ts'
import { required, whereIs } from './packages.ts'
import { freePort } from './port.ts'
import { tendProgram } from './program.ts'

export type RealFleet = FleetBench & {
  readonly docker: TestDocker
  /** Where HAProxy listens. */
  readonly port: number
  /** kind itself, as somebody else would call it. */
  readonly kind: (...words: readonly string[]) => string
  readonly engine: (...words: readonly string[]) => string
}

/** As `required`: kind, kwok and HAProxy, and a Docker that may run privileged containers. */
export function requiredReal(): false | string {
  const missing =
    required('haproxy') ||
    requiredDocker() ||
    requiredKube([
      'kube-apiserver',
      'kube-controller-manager',
      'kubectl',
      'kubeadm',
      'kind',
      'kwokctl',
      'kwok',
    ])
  if (missing !== false || whereIs('docker') !== undefined) return missing
  if (process.env['CI'] === 'true') throw new Error(noClient)
  console.error(`SKIPPED: ${noClient}`)
  return noClient
}

const noClient = 'kind calls the docker command, and there is none: apt-get install docker-cli'

export function kwokSettings(folder: string): string {
  return `{ program: ${kubeTool('kwokctl')}, folder: ${join(folder, 'kwok')},
    components: [etcd, kube-apiserver],
    config: { options: { etcdBinary: ${whereIs('etcd')}, kubeApiserverBinary: ${kubeTool('kube-apiserver')},
      kwokControllerBinary: ${kubeTool('kwok')}, kubectlBinary: ${kubeTool('kubectl')} } } }`
}

export function kindSettings(): string {
  return `{ program: ${kubeTool('kind')}, image: '${kindNode}', network: fleet-shared,
    config: { networking: { disableDefaultCNI: true } } }`
}

/** `more`: further lines of fleet.yaml. */
export async function realFleet(more = '', launcher = tendProgram()): Promise<RealFleet> {
  const docker = await startDocker({ isPrivilegedAllowed: true })
  await docker.importImage(kindNodeTar(), kindNode, kindNodeChanges)
  const bench = await fleetBench(launcher)
  const { folder, write } = bench
  const proxy = join(folder, 'proxy')
  const port = await freePort()
  write({
    'fleet.yaml': `baseDomain: fleet.test
networks: [{ name: fleet-shared }]
haproxy: { folder: ${proxy}, http: '127.0.0.1:${port}' }
providers:
  kind: ${kindSettings()}
  kwok: ${kwokSettings(folder)}
${more}`,
  })
  const own = { DOCKER_HOST: `unix://${docker.socket}` }
  function program(path: string, words: readonly string[]): string {
    const env = { ...process.env, ...own }
    const { stdout, stderr, status } = spawnSync(path, words, { env, encoding: 'utf8' })
    if (status !== 0) throw new Error(`${path} ${words.join(' ')}: ${stderr}`)
    return stdout
  }
  return {
    ...bench,
    docker,
    port,
    fleet: (line, environment = {}) => bench.fleet(line, { ...own, ...environment }),
    start: (line, environment = {}) => bench.start(line, { ...own, ...environment }),
    kind: (...words) => program(kubeTool('kind'), words),
    engine: (...words) => program('docker', words),
    async close() {
      await bench.fleet('clean --all', own)
      await endProxy(proxy)
      await docker.stop()
      await bench.close()
    },
  }
}
