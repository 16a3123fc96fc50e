/** kwok over kwokctl: control planes as processes, without containers. */
import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { writeYaml } from '#formats/yaml/write-yaml.ts'
import { call, writeConfig } from './call.ts'
import { portsFrom } from './host.ts'
import { deadPart } from './kwok-processes.ts'
import { mergedOver } from './merged.ts'
import type { ClusterProvider, ListedCluster, ProgramSettings } from './provider.ts'
import { defined } from '#model/defined.ts'

type KwokSettings = ProgramSettings & {
  /** The folder in which kwokctl keeps its clusters. */
  readonly workFolder: string
  /** The components to run; empty: all of them. */
  readonly components: readonly string[]
}

/** kwokctl's reports of success are not reliable, so a probe decides. */
export function kwok(settings: KwokSettings): ClusterProvider {
  const { folder, workFolder } = settings
  // clusters are made side by side
  const freePorts = portsFrom()
  function ask(words: readonly string[], signal: AbortSignal): Promise<string> {
    mkdirSync(join(workFolder, 'clusters'), { recursive: true, mode: 0o700 })
    return call({ settings, words, signal, more: { KWOK_WORKDIR: workFolder }, isLong: true })
  }
  async function stop(name: string, signal: AbortSignal): Promise<void> {
    await ask(['stop', 'cluster', '--name', name], signal)
  }
  /** Each cluster has an authority of its own, made with it. */
  function listed(name: string): ListedCluster {
    const dead = deadPart(join(workFolder, 'clusters', name, 'pids'))
    const unseen = {
      isRunning: dead === undefined ? undefined : false,
      stoppedPart: dead === undefined ? undefined : `its ${dead}`,
      serverIp: undefined,
    }
    try {
      const authority = readFileSync(join(workFolder, 'clusters', name, 'pki', 'ca.crt'))
      const hash = createHash('sha256').update(authority).digest('hex')
      return { ...unseen, identity: `authority:${hash.slice(0, 32)}` }
    } catch {
      // without its authority a cluster has no identity yet
      return unseen
    }
  }
  return {
    async list(signal) {
      const text = await ask(['get', 'clusters'], signal)
      const names = text.split(/\s+/).filter((name) => name !== '')
      return new Map(names.map((name) => [name, listed(name)]))
    },
    async create({ name, config }, signal) {
      const [api, etcd, peer, manager, scheduler, controller] = await freePorts(6)
      const text = writeYaml(mergedOver(kwokConfig(defined(peer)), config))
      const file = writeConfig(folder, `${name}.kwok.yaml`, text)
      const { components } = settings
      // ports that kwokctl picks by itself may be those of a cluster that is stopped
      const ports = ['--kube-apiserver-port', api, '--etcd-port', etcd].map(String)
      const more = ['--kube-controller-manager-port', manager, '--kube-scheduler-port', scheduler]
      const words = ['create', 'cluster', '--name', name, '--config', file, '--kubeconfig', '']
      await ask(
        [
          ...words,
          ...ports,
          ...(components.length === 0
            ? [...more, '--controller-port', controller].map(String)
            : ['--components', components.join(',')]),
        ],
        signal,
      )
    },
    async remove(name, signal) {
      const file = join(folder, `${name}.kwok.kubeconfig`)
      await ask(['delete', 'cluster', '--name', name, '--kubeconfig', file], signal)
    },
    /** A process that died and was not waited for looks alive to kwokctl. Stopping it first solves that too. */
    async start(name, signal) {
      await stop(name, signal)
      await ask(['start', 'cluster', '--name', name], signal)
    },
    stop,
    kubeconfig: (name, signal) => ask(['get', 'kubeconfig', '--name', name], signal),
    serverIp: async () => '127.0.0.1',
  }
}

/** kwokctl has no flag for loopback: without this configuration etcd listens to everybody. */
function kwokConfig(etcdPeerPort: number): Record<string, unknown> {
  return {
    apiVersion: 'config.kwok.x-k8s.io/v1alpha1',
    kind: 'KwokctlConfiguration',
    options: { runtime: 'binary', bindAddress: '127.0.0.1', etcdPeerPort },
  }
}
