/** 100 kustomizations that are all new: from the start of the process until each says Ready. */
import { kubernetesAt } from '#clients/kubernetes/client.ts'
import { discoveryOf } from '#clients/kubernetes/discovery.ts'
import { clusterSurroundings, findCluster } from '#clients/kubernetes/find-cluster.ts'
import { gitRepository, namespace, type FluxWorld } from '../../test/testbed/flux-world.ts'
import { milliseconds, type Row } from '../row.ts'
import { bareCalls, width } from './bare-calls.ts'
import { allReady, filesOf, kustomizationsOf, objectsOf, range } from './sets.ts'

const count = 100
const each = 5
const { signal } = new AbortController()

/** The objects are all there before the service starts: so its start and the clone count, kubectl does not. */
export async function* hundredSets(world: FluxWorld): AsyncIterable<Row> {
  const first = await bareTime(world, 'bare-before')
  const commit = world.git.commit('100 sets', filesOf(0, count, each))
  world.apply(gitRepository('infra', world.url), ...kustomizationsOf(0, count))
  const began = performance.now()
  await world.start()
  await allReady(world, count, commit)
  const took = performance.now() - began
  // before and after, so that what disturbs one disturbs the other
  const bare = (first + (await bareTime(world, 'bare-after'))) / 2
  yield {
    name: '100 kustomizations of 5 Ready: to bare dry runs and applies',
    measured: took / bare,
    goal: { is: 'at most', than: 4 },
    behind: `${milliseconds(took)} from the start of the process, to ${milliseconds(bare)}, ${width} at once`,
  }
}

async function bareTime({ kube, apply }: FluxWorld, home: string): Promise<number> {
  apply(namespace(home))
  const kubernetes = kubernetesAt(findCluster(clusterSurroundings(kube.kubeconfig)))
  try {
    const discovery = discoveryOf(kubernetes)
    await discovery.preferred(signal)
    const objects = range(0, count).flatMap((n) => objectsOf(n, each, home))
    const began = performance.now()
    await bareCalls(kubernetes, discovery, objects)
    return performance.now() - began
  } finally {
    kubernetes.close()
  }
}
