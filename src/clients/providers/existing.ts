/** Clusters that others made: looked at and registered, never made or deleted. */
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dirname, resolve } from 'node:path'
import { parse } from 'yaml'
import { writeYaml } from '#formats/yaml/write-yaml.ts'
import { isList, isRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import type { ClusterProvider } from './provider.ts'

type ExistingSettings = {
  /** The kubeconfig file of each cluster, by name. */
  readonly kubeconfigs: ReadonlyMap<string, string>
}

export function existing({ kubeconfigs }: ExistingSettings): ClusterProvider {
  async function nothing(): Promise<void> {}
  return {
    async list() {
      const known = { isRunning: undefined, serverIp: undefined }
      return new Map([...kubeconfigs.keys()].map((name) => [name, known]))
    },
    /** The cluster is there already, if somebody says where. */
    async create({ name }) {
      if (!kubeconfigs.has(name)) throw unplaced(name)
    },
    remove: nothing,
    start: nothing,
    stop: nothing,
    async kubeconfig(name) {
      const file = kubeconfigs.get(name)
      if (file === undefined) throw unplaced(name)
      try {
        return inlined(await readFile(file, 'utf8'), dirname(file))
      } catch (cause) {
        throw new Problem({
          type: 'runtime',
          code: 'not_found',
          message: `the kubeconfig file of ${name} can't be read: ${file}`,
          suggestion: `see that it is there and may be read`,
          cause,
        })
      }
    },
    serverIp: async () => undefined,
  }
}

function unplaced(name: string): Problem {
  return new Problem({
    type: 'runtime',
    code: 'not_possible_here',
    message: `${name} is a cluster that others make, and fleet.yaml does not say where it is`,
    suggestion: `name its kubeconfig file in fleet.yaml: clusters.${name}.kubeconfig`,
  })
}

const fields = ['certificate-authority', 'client-certificate', 'client-key']

/** The kubeconfig as a whole: files that it names become part of it. */
function inlined(text: string, folder: string): string {
  const config: unknown = parse(text)
  return writeYaml(withData(config, folder))
}

function withData(value: unknown, folder: string): unknown {
  if (isList(value)) return value.map((item) => withData(item, folder))
  if (!isRecord<unknown>(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => {
      if (typeof item !== 'string' || !fields.includes(key)) return [key, withData(item, folder)]
      return [`${key}-data`, readFileSync(resolve(folder, item)).toString('base64')]
    }),
  )
}
