/** Whether the cluster of the kubeconfig answers, and what it costs when it does not. */
import { constants, existsSync } from 'node:fs'
import { homedir } from 'node:os'
import { delimiter, join } from 'node:path'
import { clustersOf } from '#clients/kubernetes/clusters.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { problemOf } from '#model/problem.ts'
import { recordOf, textOf } from '#model/read-json.ts'
import type { Finding } from './finding.ts'
import { isAllowed } from './programs.ts'

/** A cluster that says nothing for so long, in milliseconds, is not waited for. */
const patience = 5_000
const name = 'kubeconfig'
const costs = 'kustomizations and tend serve --kube know no cluster'

export async function clusterFinding(signal: AbortSignal): Promise<Finding> {
  let access: ReturnType<typeof findCluster>
  try {
    access = findCluster(clusterSurroundings())
  } catch (thrown) {
    const unreadable = filesThatCannotBeRead(process.env)
    if (unreadable === undefined) return broken(problemOf(thrown).message)
    return { name, state: 'missing', found: unreadable, costs, mend: 'export KUBECONFIG=FILE' }
  }
  const clusters = clustersOf(access)
  try {
    const limit = AbortSignal.any([signal, AbortSignal.timeout(patience)])
    const doing = 'it does not answer'
    const { body } = await clusters.local().kubernetes.ask('GET', '/version', {
      signal: limit,
      doing,
    })
    const version = textOf(recordOf(body)['gitVersion'])
    return { name, state: 'ok', found: `Kubernetes ${version} at ${access.server}` }
  } catch (thrown) {
    const { message } = problemOf(thrown)
    return broken(message.includes(access.server) ? message : `${access.server}: ${message}`)
  } finally {
    clusters.close()
  }
}

/** It is there and does not work. */
function broken(found: string): Finding {
  return {
    name,
    state: 'broken',
    found,
    costs,
    mend: 'kubectl cluster-info, or another KUBECONFIG',
  }
}

/** Undefined: the files are there, so what is wrong is in them. */
function filesThatCannotBeRead(
  environment: Readonly<Record<string, string | undefined>>,
): string | undefined {
  const files = environment['KUBECONFIG'] || join(homedir(), '.kube', 'config')
  const gone = files.split(delimiter).filter((one) => !isAllowed(one, constants.R_OK))
  if (gone.length === 0) return undefined
  const isThere = gone.some((one) => existsSync(one))
  return `${isThere ? 'you may not read' : 'there is no'} ${gone.join(', ')}`
}
