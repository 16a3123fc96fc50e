/** kind over its command line; its nodes are started and stopped with the engine that runs them. */
import { join } from 'node:path'
import { stringify } from 'yaml'
import { call, writeConfig } from './call.ts'
import { mergedOver } from './merged.ts'
import type { ClusterProvider, ClusterShape, ProgramSettings } from './provider.ts'

export type KindSettings = ProgramSettings & {
  /** docker, podman or nerdctl. */
  readonly engine: string
  /** Undefined: kind's own. */
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
  /** kind lists a stopped cluster like any other: only the engine knows. Where it does not answer, the cluster itself is asked. */
  async function states(signal: AbortSignal): Promise<ReadonlyMap<string, boolean> | undefined> {
    const words = ['ps', '--all', '--filter', `label=${clusterLabel}`]
    const format = `{{.Label "${clusterLabel}"}} {{.State}}`
    try {
      return runningIn(await engine([...words, '--format', format], signal))
    } catch {
      signal.throwIfAborted()
      return undefined
    }
  }
  /** kind would otherwise edit the user's. */
  function ownKubeconfig(name: string): readonly string[] {
    return ['--kubeconfig', join(folder, `${name}.kind.kubeconfig`)]
  }
  return {
    async list(signal) {
      const [names, running] = await Promise.all([ask(['get', 'clusters'], signal), states(signal)])
      return new Map(
        linesOf(names).map((name) => [
          name,
          { isRunning: running?.get(name), serverIp: undefined },
        ]),
      )
    },
    async create(shape, signal) {
      const text = stringify(mergedOver(kindConfig(shape, settings.listen), settings.config))
      const file = writeConfig(folder, `${shape.name}.kind.yaml`, text)
      const { name } = shape
      const words = ['create', 'cluster', '--name', name, '--config', file, '--quiet']
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

/** `kind.x-k8s.io/v1alpha4`. */
export function kindConfig(shape: ClusterShape, listen: string): Record<string, unknown> {
  const { httpPort, httpsPort, image } = shape
  function mapping(hostPort: number | null, containerPort: number): readonly unknown[] {
    if (hostPort === null) return []
    return [{ containerPort, hostPort, listenAddress: listen, protocol: 'TCP' }]
  }
  const extraPortMappings = [...mapping(httpPort, 80), ...mapping(httpsPort, 443)]
  return {
    apiVersion: 'kind.x-k8s.io/v1alpha4',
    kind: 'Cluster',
    networking: { apiServerAddress: '127.0.0.1' },
    nodes: [{ role: 'control-plane', ...(image === null ? {} : { image }), extraPortMappings }],
  }
}

/** One that has a node which does not run is stopped. */
export function runningIn(text: string): ReadonlyMap<string, boolean> {
  const running = new Map<string, boolean>()
  for (const line of text.split('\n')) {
    const [name = '', state = ''] = line.trim().split(' ')
    if (name !== '') running.set(name, (running.get(name) ?? true) && state === 'running')
  }
  return running
}

function linesOf(text: string): readonly string[] {
  return text.split(/\s+/).filter((line) => line !== '')
}
