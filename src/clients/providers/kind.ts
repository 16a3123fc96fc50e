/** kind over its command line; its nodes are started and stopped with the engine that runs them. */
import { join } from 'node:path'
import { writeYaml } from '#formats/yaml/write-yaml.ts'
import { recordsOf } from '#model/read-json.ts'
import type { Json } from '#model/json.ts'
import { call, writeConfig } from './call.ts'
import { kindClustersIn } from './kind-nodes.ts'
import { mergedOver } from './merged.ts'
import type { ClusterProvider, ClusterShape, ListedCluster, ProgramSettings } from './provider.ts'
import { refuseOtherPorts } from './row-ports.ts'

type KindSettings = ProgramSettings & {
  /** docker, podman or nerdctl. */
  readonly engine: string
  /** The network of the nodes; undefined: kind's own. */
  readonly network?: string | undefined
}

const clusterLabel = 'io.x-k8s.kind.cluster'

export function kind(settings: KindSettings): ClusterProvider {
  const { folder, environment } = settings
  function ask(words: readonly string[], signal: AbortSignal, isLong?: true): Promise<string> {
    const { network } = settings
    const more =
      network === undefined ? {} : { more: { KIND_EXPERIMENTAL_DOCKER_NETWORK: network } }
    return call({ settings, words, signal, ...more, ...(isLong === undefined ? {} : { isLong }) })
  }
  function engine(words: readonly string[], signal: AbortSignal): Promise<string> {
    return call({
      settings: { program: settings.engine, environment, key: 'providers.kind.engine' },
      words,
      signal,
      isLong: true,
    })
  }
  async function nodes(name: string, signal: AbortSignal): Promise<readonly string[]> {
    return linesOf(await ask(['get', 'nodes', '--name', name], signal))
  }
  /**
   * kind lists a stopped cluster like any other: only the engine knows that, and which ports its nodes publish. Where it does not
   * answer, nothing is known of the nodes, and the cluster itself is asked.
   */
  async function inspected(
    signal: AbortSignal,
  ): Promise<ReadonlyMap<string, ListedCluster> | undefined> {
    const words = ['ps', '--all', '--quiet', '--no-trunc', '--filter', `label=${clusterLabel}`]
    try {
      const ids = linesOf(await engine(words, signal))
      if (ids.length === 0) return new Map()
      const list: Json = JSON.parse(await engine(['inspect', ...ids], signal))
      return kindClustersIn(recordsOf(list))
    } catch {
      // an engine that can't be asked leaves the clusters unknown
      signal.throwIfAborted()
      return undefined
    }
  }
  /** A kubeconfig file of its own, because kind would otherwise edit the user's. */
  function ownKubeconfig(name: string): readonly string[] {
    return ['--kubeconfig', join(folder, `${name}.kind.kubeconfig`)]
  }
  return {
    async list(signal) {
      const [names, nodes] = await Promise.all([
        ask(['get', 'clusters'], signal),
        inspected(signal),
      ])
      const unseen: ListedCluster = { isRunning: undefined, serverIp: undefined }
      return new Map(linesOf(names).map((name) => [name, nodes?.get(name) ?? unseen]))
    },
    async create(shape, signal) {
      const text = writeYaml(kindConfig(shape, settings.listen))
      const file = writeConfig(folder, `${shape.name}.kind.yaml`, text)
      const { name } = shape
      const words = ['create', 'cluster', '--name', name, '--config', file]
      await ask([...words, ...ownKubeconfig(name)], signal, true)
    },
    async remove(name, signal) {
      await ask(['delete', 'cluster', '--name', name, ...ownKubeconfig(name)], signal, true)
    },
    async start(name, signal) {
      await engine(['start', ...(await nodes(name, signal))], signal)
    },
    async stop(name, signal) {
      await engine(['stop', ...(await nodes(name, signal))], signal)
    },
    kubeconfig: (name, signal) => ask(['get', 'kubeconfig', '--name', name], signal),
    async serverIp(name, signal) {
      const format = '{{range .NetworkSettings.Networks}}{{.IPAddress}} {{end}}'
      const text = await engine(['inspect', '--format', format, `${name}-control-plane`], signal)
      return text.trim().split(/\s+/)[0] || undefined
    },
  }
}

/** `kind.x-k8s.io/v1alpha4`, with the settings put over it. */
export function kindConfig(shape: ClusterShape, listen: string): Record<string, unknown> {
  const { httpPort, httpsPort, image, servers, agents } = shape
  function mapping(hostPort: number | null, containerPort: number): readonly unknown[] {
    if (hostPort === null) return []
    return [{ containerPort, hostPort, listenAddress: listen, protocol: 'TCP' }]
  }
  const extraPortMappings = [...mapping(httpPort, 80), ...mapping(httpsPort, 443)]
  const own = image === null ? {} : { image }
  const nodes = [
    { role: 'control-plane', ...own, extraPortMappings },
    ...Array.from({ length: servers - 1 }, () => ({ role: 'control-plane', ...own })),
    ...Array.from({ length: agents }, () => ({ role: 'worker', ...own })),
  ]
  const generated = {
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    kind: 'Cluster',
    networking: { apiServerAddress: shape.apiAddress },
    nodes,
  }
  const merged = mergedOver(generated, shape.config)
  const [first] = recordsOf(merged['nodes']).filter((node) => node['role'] === 'control-plane')
  const mappings = recordsOf(first?.['extraPortMappings'])
  refuseOtherPorts(shape, 'kind', (port) => {
    const found = mappings.find(({ containerPort }) => containerPort === port)?.['hostPort']
    return typeof found === 'number' ? found : undefined
  })
  return merged
}

function linesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}
