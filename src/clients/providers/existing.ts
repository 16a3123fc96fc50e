/** Clusters that others made: looked at and registered, never made or deleted. */
import { readFile } from 'node:fs/promises'
import { Problem } from '#model/problem.ts'
import type { ClusterProvider } from './provider.ts'

export type ExistingSettings = {
  /** The kubeconfig file of each. */
  readonly kubeconfigs: ReadonlyMap<string, string>
}

export function existing({ kubeconfigs }: ExistingSettings): ClusterProvider {
  async function nothing(): Promise<void> {}
  return {
    async list() {
      const known = { isRunning: undefined, serverIp: undefined }
      return new Map([...kubeconfigs.keys()].map((name) => [name, known]))
    },
    async create({ name }) {
      throw new Problem({
        type: 'runtime',
        code: 'not_possible_here',
        message: `${name} is a cluster that others make, and fleet.yaml does not say where it is`,
        suggestion: `name its kubeconfig file in fleet.yaml: clusters.${name}.kubeconfig`,
      })
    },
    remove: nothing,
    start: nothing,
    stop: nothing,
    async kubeconfig(name) {
      const file = kubeconfigs.get(name) ?? ''
      try {
        return await readFile(file, 'utf8')
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
