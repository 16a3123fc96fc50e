/** Argo CD's account in a cluster of the fleet: what it may do, and a token that lasts as long as the account. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import { Problem } from '#model/problem.ts'
import {
  applyAll,
  fleetLabel,
  object,
  refuseStrange,
  removeAll,
  whoseIs,
  type Placed,
  type ClusterConnections,
} from './objects-in-cluster.ts'

const account = { name: 'argocd-manager', namespace: 'kube-system' }
const role = `${account.name}-role`
const secret = `${account.name}-token`
const inside = `/api/v1/namespaces/${account.namespace}`
const rbac = 'rbac.authorization.k8s.io'
const everything = [
  { apiGroups: ['*'], resources: ['*'], verbs: ['*'] },
  { nonResourceURLs: ['*'], verbs: ['*'] },
]

function objects(fleet: string): readonly Placed[] {
  const labels = { [fleetLabel]: fleet }
  const holder = { 'kubernetes.io/service-account.name': account.name }
  const subjects = [{ kind: 'ServiceAccount', ...account }]
  const roleRef = { apiGroup: rbac, kind: 'ClusterRole', name: role }
  const binding = `${role}-binding`
  return [
    [
      `${inside}/serviceaccounts/${account.name}`,
      object('v1', 'ServiceAccount', { ...account, labels }),
    ],
    [
      `/apis/${rbac}/v1/clusterroles/${role}`,
      object(`${rbac}/v1`, 'ClusterRole', { name: role, labels }, { rules: everything }),
    ],
    [
      `/apis/${rbac}/v1/clusterrolebindings/${binding}`,
      object(`${rbac}/v1`, 'ClusterRoleBinding', { name: binding, labels }, { roleRef, subjects }),
    ],
    [
      `${inside}/secrets/${secret}`,
      object(
        'v1',
        'Secret',
        { name: secret, namespace: account.namespace, labels, annotations: holder },
        { type: 'kubernetes.io/service-account-token' },
      ),
    ],
  ]
}

const pause = 200
const longest = 20_000
const doing = 'could not make the account of Argo CD'

/** Others name such an account so too: what they made is used as it is, and stays theirs. */
async function applyOwn(api: Kubernetes, fleet: string, signal: AbortSignal): Promise<void> {
  for (const placed of objects(fleet)) {
    if ((await whoseIs(api, placed[0], fleet, doing, signal)) === 'strange') continue
    await applyAll(api, [placed], doing, signal)
  }
}

/** Made where it is missing. */
export async function tokenIn(
  api: Kubernetes,
  fleet: string,
  connections: ClusterConnections,
  signal: AbortSignal,
): Promise<string> {
  await applyOwn(api, fleet, signal)
  for (let waited = 0; waited < longest; waited += pause) {
    const said = await api.ask('GET', `${inside}/secrets/${secret}`, { signal, doing, fine: [404] })
    const token = textOf(recordOf(recordOf(said.body)['data'])['token'])
    if (token !== '') return Buffer.from(token, 'base64').toString()
    // one that belonged to an account of before is collected with it
    if (said.status === 404) await applyOwn(api, fleet, signal)
    await connections.sleep(pause, signal)
  }
  throw new Problem({
    type: 'runtime',
    code: 'timed_out',
    message: 'the cluster gives the account of Argo CD no token',
    suggestion: 'see that its kube-controller-manager runs',
    recoverable: true,
  })
}

/** A token that the cluster does not take is of no use: another one is given for a Secret that is new. */
export async function dropToken(
  api: Kubernetes,
  fleet: string,
  signal: AbortSignal,
): Promise<void> {
  const path = `${inside}/secrets/${secret}`
  await refuseStrange(api, path, fleet, 'the cluster does not take the token in it', signal)
  await removeAll(api, [path], doing, signal)
}

export async function dropAccount(
  api: Kubernetes,
  fleet: string,
  signal: AbortSignal,
): Promise<void> {
  const gone = 'could not remove the account of Argo CD'
  for (const [path] of objects(fleet).toReversed()) {
    if ((await whoseIs(api, path, fleet, gone, signal)) !== 'ours') continue
    await removeAll(api, [path], gone, signal)
  }
}
