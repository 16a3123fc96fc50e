/** k3d over its command line. */
import { join } from 'node:path'
import { writeYaml } from '#formats/yaml/write-yaml.ts'
import { recordsOf, textOf } from '#model/read-json.ts'
import { Problem } from '#model/problem.ts'
import { call, writeConfig } from './call.ts'
import { k3dClusterIn, k3dImagesIn } from './k3d-nodes.ts'
import { containerPortOf, mergedOver } from './merged.ts'
import type { ClusterProvider, ClusterShape, ListedCluster, ProgramSettings } from './provider.ts'
import { refuseOtherPorts } from './row-ports.ts'

type K3dSettings = ProgramSettings & {
  /** The command of the engine that runs the nodes. */
  readonly engine: string
  /** The network of clusters without a subnet of their own; undefined: each cluster has one. */
  readonly network?: string | undefined
}

/** Every call has a kubeconfig file of its own: k3d would otherwise edit the user's. */
export function k3d(settings: K3dSettings): ClusterProvider {
  function ask(words: readonly string[], signal: AbortSignal, isLong?: true): Promise<string> {
    const more = { KUBECONFIG: join(settings.folder, 'k3d-default.kubeconfig') }
    const limit = isLong === undefined ? {} : { isLong }
    return call({ settings, words, signal, more, ...limit })
  }
  /** k3d tells only the ids of images. Where the engine can't be asked their names stay unknown. */
  async function images(signal: AbortSignal): Promise<ReadonlyMap<string, string>> {
    const { engine: program, environment } = settings
    const filters = ['label=app=k3d', 'label=k3d.role=server'].flatMap((one) => ['--filter', one])
    const words = ['ps', '--all', '--no-trunc', ...filters, '--format', '{{.Names}} {{.Image}}']
    const engine = { program, environment, key: 'providers.k3d.engine' }
    try {
      return k3dImagesIn(await call({ settings: engine, words, signal }))
    } catch {
      // k3d itself says whether there are clusters
      signal.throwIfAborted()
      return new Map()
    }
  }
  async function list(signal: AbortSignal): Promise<ReadonlyMap<string, ListedCluster>> {
    const listing = ask(['cluster', 'list', '-o', 'json'], signal)
    const [text, named] = await Promise.all([listing, images(signal)])
    return clustersIn(text, named)
  }
  return {
    list,
    async create(shape, signal) {
      const text = writeYaml(k3dConfig(shape, settings.listen, settings.network))
      const file = writeConfig(settings.folder, `${shape.name}.k3d.yaml`, text)
      await ask(['cluster', 'create', '--config', file], signal, true)
    },
    async remove(name, signal) {
      await ask(['cluster', 'delete', name], signal, true)
    },
    async start(name, signal) {
      await ask(['cluster', 'start', name, '--timeout', '5m'], signal, true)
    },
    async stop(name, signal) {
      await ask(['cluster', 'stop', name], signal, true)
    },
    kubeconfig: (name, signal) => ask(['kubeconfig', 'get', name], signal),
    serverIp: async (name, signal) => (await list(signal)).get(name)?.serverIp,
  }
}

/** `k3d.io/v1alpha5`, kind Simple, with the settings put over it. */
export function k3dConfig(
  shape: ClusterShape,
  listen: string,
  network?: string,
): Record<string, unknown> {
  const { name, image, httpPort, httpsPort, subnet } = shape
  function port(from: number | null, to: number): readonly unknown[] {
    if (from === null) return []
    return [{ port: `${listen}:${from}:${to}`, nodeFilters: ['loadbalancer'] }]
  }
  const generated = {
    apiVersion: 'k3d.io/v1alpha5',
    kind: 'Simple',
    metadata: { name },
    servers: shape.servers,
    agents: shape.agents,
    kubeAPI: { host: '127.0.0.1', hostIP: shape.apiAddress },
    ...(image === null ? {} : { image }),
    ...(subnet === null ? {} : { subnet }),
    ...(subnet === null && network !== undefined ? { network } : {}),
    ports: [...port(httpPort, 80), ...port(httpsPort, 443)],
    options: {
      k3d: { wait: true, timeout: '5m' },
      kubeconfig: { updateDefaultKubeconfig: false, switchCurrentContext: false },
    },
  }
  const merged = mergedOver(generated, shape.config)
  const ports = recordsOf(merged['ports']).map((one) => textOf(one['port']))
  refuseOtherPorts(shape, 'k3d', (to) => {
    const found = ports.find((one) => containerPortOf(one) === `${to}/tcp`)
    const from = found?.split(':').at(-2)
    return from === undefined ? undefined : Number(from)
  })
  return merged
}

/** An answer that is no list is refused, because nothing may be concluded from it. */
function clustersIn(
  text: string,
  images: ReadonlyMap<string, string>,
): ReadonlyMap<string, ListedCluster> {
  const parsed = parsedList(text)
  return new Map(
    recordsOf(parsed).map((cluster) => [textOf(cluster['name']), k3dClusterIn(cluster, images)]),
  )
}

function parsedList(text: string): unknown {
  try {
    const parsed: unknown = JSON.parse(text)
    if (Array.isArray(parsed) && recordsOf(parsed).length === parsed.length) return parsed
  } catch {
    // told below
  }
  throw new Problem({
    type: 'runtime',
    code: 'api_error',
    message: 'k3d cluster list answered with something that is no list of clusters',
    recoverable: true,
  })
}
