/** Three kind and three kwok clusters from nothing, against the bare create commands started at once. */
import { spawn } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { realFleet, requiredReal, type RealFleet } from '../../test/testbed/fleet-real.ts'
import { kindNode } from '../../test/testbed/kind-node.ts'
import { kubeTool } from '../../test/testbed/kube-tools.ts'
import { whereIs } from '../../test/testbed/packages.ts'
import { freePort } from '../../test/testbed/port.ts'
import { contest, milliseconds, type Row } from '../row.ts'

const names = ['a', 'b', 'c']

export async function* sixAtOnce(): AsyncIterable<Row> {
  const missing = requiredReal()
  if (missing !== false) throw new Error(missing)
  const real = await realFleet('', 'dist/tend')
  const { fleet } = real
  try {
    await fleet('init')
    await fleet('bootstrap')
    for (const name of names) {
      for (const provider of ['kind', 'kwok']) {
        const ports = `--http-port ${await freePort()} --https-port ${await freePort()} --no-route`
        const told = await fleet(`add ${provider}-${name} --provider ${provider} ${ports}`)
        if (told.code !== 0) throw new Error(told.err)
      }
    }
    const times = await contest(
      {
        bare: { before: () => fleet('clean --all'), run: () => bare(real) },
        tend: { before: () => clearBare(real), run: () => whole(real) },
      },
      3,
    )
    await clearBare(real)
    yield {
      name: 'three kind and three kwok clusters, to the bare commands',
      measured: times.tend / times.bare,
      goal: { is: 'at most', than: 1.2 },
      behind: `${milliseconds(times.tend)} against ${milliseconds(times.bare)}`,
    }
  } finally {
    await real.close()
  }
}

async function whole({ fleet }: RealFleet): Promise<void> {
  const told = await fleet('reconcile --from-db --concurrency 16')
  if (told.code !== 0) throw new Error(told.out + told.err)
}

async function bare({ folder, docker }: RealFleet): Promise<void> {
  const place = join(folder, 'bare')
  mkdirSync(place, { recursive: true })
  const config = join(place, 'kind.yaml')
  writeFileSync(
    config,
    `kind: Cluster
apiVersion: kind.x-k8s.io/v1alpha4
networking: { apiServerAddress: 127.0.0.1, disableDefaultCNI: true }
nodes: [{ role: control-plane, image: '${kindNode}' }]
`,
  )
  const env = { ...process.env, DOCKER_HOST: `unix://${docker.socket}`, ...kwokEnvironment(place) }
  const ports = new Map<string, readonly string[]>()
  for (const name of names) ports.set(name, await kwokPorts(name, place))
  await Promise.all(
    names.flatMap((name) => [
      run(kubeTool('kind'), kindWords(name, config, place), env),
      run(kubeTool('kwokctl'), [...kwokWords('create', name, place), ...ports.get(name)!], env),
    ]),
  )
  await Promise.all(
    names.flatMap((name) =>
      ['kind', 'kwok'].map((provider) =>
        run(kubeTool('kubectl'), ready(join(place, `${provider}-${name}`)), env),
      ),
    ),
  )
}

/** Started at once, kwokctl gives several clusters one port, waits for two minutes, and ends with 0. */
async function kwokPorts(name: string, place: string): Promise<readonly string[]> {
  const file = join(place, `${name}.kwok.yaml`)
  writeFileSync(
    file,
    `kind: KwokctlConfiguration
apiVersion: config.kwok.x-k8s.io/v1alpha1
options: { runtime: binary, bindAddress: 127.0.0.1, etcdPeerPort: ${await freePort()} }
`,
  )
  const [api, etcd] = [await freePort(), await freePort()].map(String)
  return ['--config', file, '--kube-apiserver-port', api!, '--etcd-port', etcd!]
}

function ready(kubeconfig: string): readonly string[] {
  return ['--kubeconfig', kubeconfig, 'get', '--raw', '/readyz']
}

async function clearBare({ folder, docker }: RealFleet): Promise<void> {
  const place = join(folder, 'bare')
  const env = { ...process.env, DOCKER_HOST: `unix://${docker.socket}`, ...kwokEnvironment(place) }
  await Promise.all(
    names.flatMap((name) => [
      run(kubeTool('kind'), ['delete', 'cluster', '--name', `bare-${name}`], env),
      run(kubeTool('kwokctl'), kwokWords('delete', name, place), env),
    ]),
  )
  rmSync(place, { recursive: true, force: true })
}

function kindWords(name: string, config: string, place: string): readonly string[] {
  const words = ['create', 'cluster', '--name', `bare-${name}`, '--config', config, '--quiet']
  return [...words, '--kubeconfig', join(place, `kind-${name}`)]
}

function kwokWords(verb: 'create' | 'delete', name: string, place: string): readonly string[] {
  const words = [verb, 'cluster', '--name', `bare-${name}`]
  const kubeconfig = ['--kubeconfig', join(place, `kwok-${name}`)]
  if (verb === 'delete') return [...words, ...kubeconfig]
  return [...words, ...kubeconfig, '--components', 'etcd,kube-apiserver']
}

function kwokEnvironment(place: string): Readonly<Record<string, string | undefined>> {
  return {
    KWOK_WORKDIR: join(place, 'kwok'),
    KWOK_RUNTIME: 'binary',
    KWOK_ETCD_BINARY: whereIs('etcd'),
    KWOK_KUBE_APISERVER_BINARY: kubeTool('kube-apiserver'),
    KWOK_CONTROLLER_BINARY: kubeTool('kwok'),
    KWOK_KUBECTL_BINARY: kubeTool('kubectl'),
  }
}

function run(program: string, words: readonly string[], env: NodeJS.ProcessEnv): Promise<void> {
  return new Promise((done, fail) => {
    const child = spawn(program, words, { env, stdio: ['ignore', 'ignore', 'pipe'] })
    let text = ''
    child.stderr.setEncoding('utf8').on('data', (part: string) => (text += part))
    child.on('error', fail)
    child.on('close', (code) => {
      if (code === 0 || words[0] === 'delete') done()
      else fail(new Error(`${program} ${words.join(' ')}: ${text}`))
    })
  })
}
