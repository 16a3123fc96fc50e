/** What a real control plane and its oracles consist of. */
import { buildNow, goToolPath, type GoTool } from './go-tools.ts'
import { required } from './packages.ts'

export type KubeTool = Exclude<GoTool, `docker-compose-${string}`>

/** Everything that a control plane runs; kubectl is what a user would ask it with. */
export const controlPlane: readonly KubeTool[] = [
  'kube-apiserver',
  'kube-controller-manager',
  'kube-scheduler',
  'kwok',
  'kubectl',
]

export function kubeTool(name: KubeTool): string {
  return goToolPath(name)
}

/**
 * For `test(name, { skip: requiredKube() }, …)`: false when all are there, else why the test is skipped. `npm test` builds what is
 * missing before it starts the file; whoever starts a file without it waits here. In CI not to be had is a failure.
 *
 * The names are written where it is called, as words: `test/runner/needs.ts` reads them.
 */
export function requiredKube(names: readonly KubeTool[] = controlPlane): false | string {
  const needsEtcd = names.includes('kube-apiserver')
  const missing = (needsEtcd && required('etcd')) || buildNow(names)
  if (missing === undefined) return false
  if (process.env['CI'] === 'true') throw new Error(missing)
  console.error(`SKIPPED for want of Kubernetes: ${missing}`)
  return missing
}
