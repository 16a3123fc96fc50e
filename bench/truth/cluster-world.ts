/** One kustomization under the real service, on a real control plane; pods are as kwok says they are. */
import type { AppStatus } from '#model/service.ts'
import {
  fluxWorld,
  gitRepository,
  kustomization,
  namespace,
  type FluxWorld,
  type Live,
} from '../../test/testbed/flux-world.ts'
import { fate } from '../../test/testbed/kube-stages.ts'
import { webStandIn } from '../../test/testbed/web-stand-in.ts'
import { boundTo, soon, type Harm, type Meaningless } from './harms.ts'
import { isWell, measure, type Measured } from './measure.ts'

export type ClusterTruth = {
  readonly world: FluxWorld
  /** What is committed: a Deployment, and a Service if it has a port of the nodes. */
  readonly commit: (change: { readonly doom?: string; readonly nodePort?: number }) => void
  /** Its one pod that is not on its way out. */
  readonly pod: () => Promise<string>
  measure(harm: Harm<ClusterTruth>): Promise<Measured>
  close(): Promise<void>
}

const key = 'kustomization:flux-system/truth'
const takenPort = 30_123
const pods = '/api/v1/namespaces/default/pods'

export async function openCluster(): Promise<ClusterTruth> {
  const world = await fluxWorld()
  const web = await webStandIn()
  const { serving, kube, git } = world
  serving.declare(
    `alerts:\n  failures: 1\n  after: 10m\n  channels: [{ kind: webhook, url: '${web.url}' }]\n`,
  )
  git.commit('first', { 'truth/all.yaml': manifests({}) })
  world.apply(namespace('others'), holder, gitRepository('infra', world.url))
  world.apply(kustomization('truth', { path: './truth', timeout: '2m', retryInterval: '5s' }))
  await world.start()
  await serving.until(key, isWell)
  const truth: ClusterTruth = {
    world,
    commit: (change) => void world.push('a change', { 'truth/all.yaml': manifests(change) }),
    async pod() {
      const { body } = await kube.ask('GET', pods)
      const all: Live = body
      const one = all.items.find(({ metadata }: Live) => metadata.deletionTimestamp === undefined)
      return one.metadata.name
    },
    measure(harm) {
      return measure({
        ...boundTo(harm, truth),
        listen: (hear) => asking(() => statusOf(world), hear),
        alerts: () => web.seen.length,
      })
    },
    async close() {
      await world.stop()
      await web.close()
    },
  }
  return truth
}

/** Asks the service again and again, as a page would that has no stream. */
export function asking(
  ask: () => Promise<AppStatus | undefined>,
  hear: (status: AppStatus) => void,
): () => void {
  let isEnded = false
  async function go(): Promise<void> {
    while (!isEnded) {
      const status = await ask().catch(() => undefined)
      if (status !== undefined && !isEnded) hear(status)
      await new Promise((resolve) => setTimeout(resolve, 20))
    }
  }
  void go()
  return () => {
    isEnded = true
  }
}

async function statusOf({ serving }: FluxWorld): Promise<AppStatus | undefined> {
  const answer = await serving.api('/api/v1/apps')
  const all: readonly AppStatus[] = JSON.parse(await answer.text())
  return all.find((one) => one.key === key)
}

export function clusterHarms(): readonly (Harm<ClusterTruth> | Meaningless)[] {
  const deployment = ['-n', 'default', 'deployment', 'web']
  return [
    {
      name: 'kill',
      limit: soon,
      // another one stands in for it in a moment: who waits for kubectl here hears nothing meanwhile
      harm: async ({ world, pod }) =>
        void (await world.kube.ask('DELETE', `${pods}/${await pod()}`)),
    },
    {
      name: 'remove',
      limit: soon,
      harm: async ({ world }) => void world.kube.kubectl(['delete', '--wait=false', ...deployment]),
    },
    {
      // the nearest that there is: nothing of it runs any more
      name: 'pause',
      limit: soon,
      harm: async ({ world }) => void world.kube.kubectl(['scale', '--replicas=0', ...deployment]),
    },
    {
      name: 'unhealthy',
      limit: soon,
      harm: (truth) => setReady(truth, false),
      mend: (truth) => setReady(truth, true),
    },
    {
      name: 'crash loop',
      limit: soon,
      harm: (truth) => setReady(truth, false, 'CrashLoopBackOff'),
      mend: (truth) => setReady(truth, true),
    },
    {
      name: 'foreign change',
      limit: soon,
      harm: async ({ world }) =>
        void world.kube.kubectl(['set', 'image', ...deployment, 'web=other:1']),
    },
    {
      name: 'moved tag',
      why: 'a kubelet asks what a tag means when it starts a pod, and the API tells nobody what it found',
    },
    {
      name: 'taken port',
      limit: soon,
      isCommit: true,
      harm: async ({ commit }) => commit({ nodePort: takenPort }),
      mend: async ({ commit }) => commit({}),
    },
    {
      // the pod waits at once, which is said; whether it waits in vain shows after a minute, and then somebody is alerted
      name: 'missing image',
      limit: soon,
      isCommit: true,
      saidBy: /ErrImagePull/,
      harm: async ({ commit }) => commit({ doom: 'pull' }),
      mend: async ({ commit }) => commit({}),
    },
    {
      name: 'engine restarted',
      limit: soon,
      async harm({ world }) {
        await world.kube.stopServer()
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        await world.kube.startServer()
      },
    },
  ]
}

async function setReady(
  { world, pod }: ClusterTruth,
  ready: boolean,
  reason?: string,
): Promise<void> {
  const path = `${pods}/${await pod()}/status`
  const { body } = await world.kube.ask('GET', path)
  const live: Live = body
  const status = ready ? 'True' : 'False'
  for (const condition of live.status.conditions) {
    if (condition.type.endsWith('Ready')) condition.status = status
  }
  for (const one of live.status.containerStatuses) {
    one.ready = ready
    one.restartCount = reason === undefined ? 0 : 4
    one.state = reason === undefined ? { running: {} } : { waiting: { reason } }
  }
  const answer = await world.kube.ask('PUT', path, live)
  if (answer.status !== 200) throw new Error(JSON.stringify(answer.body))
}

const holder = {
  apiVersion: 'v1',
  kind: 'Service',
  metadata: { name: 'holder', namespace: 'others' },
  spec: { type: 'NodePort', ports: [{ port: 80, nodePort: takenPort }] },
}

function manifests({ doom, nodePort }: { doom?: string; nodePort?: number }): string {
  const annotations = doom === undefined ? '' : `, annotations: { ${fate}: ${doom} }`
  const service =
    nodePort === undefined
      ? ''
      : `---
apiVersion: v1
kind: Service
metadata: { name: web, namespace: default }
spec: { type: NodePort, ports: [{ port: 80, nodePort: ${nodePort} }] }
`
  return `apiVersion: apps/v1
kind: Deployment
metadata: { name: web, namespace: default }
spec:
  replicas: 1
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web }${annotations} }
    spec: { containers: [{ name: web, image: 'web:${doom ?? 1}' }] }
${service}`
}
