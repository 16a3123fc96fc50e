/** Portainer's edge agent inside a cluster: what it consists of, and whether it is the one of the environment. */
import { recordOf, textMapOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { hashOf } from '#model/json.ts'
import {
  applyAll,
  fleetLabel,
  object,
  refuseStrange,
  removeAll,
  whoseIs,
  type Placed,
} from './objects-in-cluster.ts'

export type EdgeAgent = {
  readonly image: string
  /** Says to Portainer which agent calls. */
  readonly id: string
  /** Where it calls home, and as which environment. */
  readonly key: string
  /** Portainer's certificate is one that nobody signed. */
  readonly isInsecure: boolean
  readonly fleet: string
}

const namespace = 'portainer-edge'
const name = 'portainer-edge-agent'
const credentials = 'portainer-edge-creds'
const rbac = 'rbac.authorization.k8s.io'
const note = 'tend-fleet/agent'
const deployment = `/apis/apps/v1/namespaces/${namespace}/deployments/${name}`

const service = `/api/v1/namespaces/${namespace}/services/${name}`
/** Another number whenever other objects are applied: agents of before are then put right. */
const objects = 2

/** Short, and another one whenever anything about it is another. */
export function agentMark(agent: EdgeAgent): string {
  return hashOf({ ...agent, objects }).slice(0, 16)
}

/** The mark of the one that is there; empty: there is none. */
export async function agentMarkIn(api: Kubernetes, signal: AbortSignal): Promise<string> {
  const doing = "could not look for Portainer's agent"
  const said = await api.ask('GET', deployment, { signal, doing, fine: [404], silence: 5000 })
  if (said.status === 404) return ''
  // without it the agent can't find itself, and ends at once
  const found = await api.ask('GET', service, { signal, doing, fine: [404], silence: 5000 })
  if (found.status === 404) return ''
  const live = recordOf(said.body)
  const containers = JSON.stringify(recordOf(recordOf(live['spec'])['template']))
  const mark = textMapOf(recordOf(live['metadata'])['annotations'])[note] ?? ''
  return containers.includes(mark) ? mark : ''
}

export async function applyAgent(
  api: Kubernetes,
  agent: EdgeAgent,
  signal: AbortSignal,
): Promise<void> {
  const doing = "could not apply Portainer's agent"
  await refuseStrange(api, `/api/v1/namespaces/${namespace}`, agent.fleet, doing, signal)
  await applyAll(api, objectsOf(agent), doing, signal)
}

/** Removes the agent's namespace with all that is in it, if the namespace is ours. */
export async function dropAgent(
  api: Kubernetes,
  fleet: string,
  signal: AbortSignal,
): Promise<void> {
  const doing = "could not remove Portainer's agent"
  const path = `/api/v1/namespaces/${namespace}`
  if ((await whoseIs(api, path, fleet, doing, signal)) !== 'ours') return
  const binding = `/apis/${rbac}/v1/clusterrolebindings/${name}`
  await removeAll(api, [binding, path], doing, signal)
}

function objectsOf(agent: EdgeAgent): readonly Placed[] {
  const labels = { [fleetLabel]: agent.fleet }
  const inside = { namespace, labels }
  const subjects = [{ kind: 'ServiceAccount', name, namespace }]
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: 'cluster-admin' }
  const core = `/api/v1/namespaces/${namespace}`
  return [
    [core, object('v1', 'Namespace', { name: namespace, labels })],
    [`${core}/serviceaccounts/${name}`, object('v1', 'ServiceAccount', { name, ...inside })],
    [
      `/apis/${rbac}/v1/clusterrolebindings/${name}`,
      object(`${rbac}/v1`, 'ClusterRoleBinding', { name, labels }, { roleRef, subjects }),
    ],
    [
      `${core}/secrets/${credentials}`,
      object(
        'v1',
        'Secret',
        { name: credentials, ...inside },
        { stringData: { 'edge-id': agent.id, 'edge-key': agent.key } },
      ),
    ],
    [service, object('v1', 'Service', { name, ...inside }, { spec: headless })],
    [deployment, deploymentOf(agent, inside)],
  ]
}

/** The agent looks up AGENT_CLUSTER_ADDR when it starts, before it is ready: its own name must lead to it by then. */
const headless = {
  clusterIP: 'None',
  publishNotReadyAddresses: true,
  selector: { app: name },
  ports: [{ name: 'agent', port: 9001, targetPort: 9001, protocol: 'TCP' }],
}

/** The mark is in the pods too: they are made anew when the key is another. */
function deploymentOf(
  agent: EdgeAgent,
  inside: { readonly namespace: string; readonly labels: Readonly<Record<string, string>> },
): ReturnType<typeof object> {
  const app = { app: name }
  const annotations = { [note]: agentMark(agent) }
  const from = (key: string) => ({ valueFrom: { secretKeyRef: { name: credentials, key } } })
  const pod = { fieldRef: { fieldPath: 'status.podIP' } }
  const env = [
    { name: 'LOG_LEVEL', value: 'INFO' },
    { name: 'EDGE', value: '1' },
    { name: 'AGENT_CLUSTER_ADDR', value: name },
    { name: 'EDGE_ID', ...from('edge-id') },
    { name: 'EDGE_KEY', ...from('edge-key') },
    { name: 'EDGE_INSECURE_POLL', value: agent.isInsecure ? '1' : '0' },
    { name: 'KUBERNETES_POD_IP', valueFrom: pod },
  ]
  const container = { name: 'agent', image: agent.image, imagePullPolicy: 'IfNotPresent', env }
  const spec = {
    replicas: 1,
    selector: { matchLabels: app },
    template: {
      metadata: { labels: { ...app, ...inside.labels }, annotations },
      spec: { serviceAccountName: name, containers: [container] },
    },
  }
  return object('apps/v1', 'Deployment', { name, ...inside, annotations }, { spec })
}
