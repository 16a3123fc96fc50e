/** Clusters in Argo CD as a facet: an account with a token in the cluster, a Secret `cluster-NAME` where Argo CD runs. */
import { recordOf, recordsOf, textMapOf, textOf } from '#clients/http/read.ts'
import type { Kubernetes } from '#clients/kubernetes/client.ts'
import type { ClusterRow } from '#model/clusters.ts'
import { isRecord, type Json, type JsonRecord } from '#model/json.ts'
import { Problem } from '#model/problem.ts'
import { refOf } from '#model/ref.ts'
import type { Facet, FacetSeen } from './facet.ts'

export type ArgoInput = {
  readonly management: Kubernetes
  readonly namespace: string
  /** Part of a label that says which Secrets are ours. */
  readonly fleet: string
  /** How clusters are reached from where Argo CD runs, if not as from here. */
  readonly host: string | undefined
  readonly isWanted: (row: ClusterRow) => boolean
  /** Speaks to a cluster of the fleet; closed after use. */
  readonly open: (name: string) => { readonly api: Kubernetes; readonly ca: string | undefined }
  readonly sleep: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

const own = 'tend-fleet'
const authority = 'tend-fleet/authority'
const account = { name: 'argocd-manager', namespace: 'kube-system' }

export function argoFacet(input: ArgoInput): Facet {
  const { management, namespace, fleet } = input
  const secrets = `/api/v1/namespaces/${namespace}/secrets`

  return {
    kind: 'secret',
    noun: 'Argo CD secret',
    wanted(row) {
      if (!input.isWanted(row)) return undefined
      const from = refOf('cluster', row.name)
      const server = { from, output: 'server' }
      return { server, authority: { from, output: 'authority' }, provider: row.provider }
    },
    needs: (row) => [{ ref: refOf('cluster', row.name), until: 'healthy', renew: false }],
    async list(_wanted, signal) {
      const doing = `could not list the secrets of ${namespace}`
      const query = { labelSelector: `${own}=${fleet}` }
      const said = await management.ask('GET', secrets, { query, signal, doing })
      return new Map(recordsOf(recordOf(said.body)['items']).map(seenOf))
    },
    async put(name, spec, { signal }) {
      const { api, ca } = input.open(name)
      try {
        const token = await tokenIn(api, input.sleep, signal)
        const body = secretOf(name, spec, token, ca, input)
        const path = `${secrets}/cluster-${name}`
        await apply(management, path, body, `could not register ${name} in Argo CD`, signal)
      } finally {
        api.close()
      }
    },
    async remove(name, { signal }) {
      const doing = `could not remove ${name} from Argo CD`
      await management.ask('DELETE', `${secrets}/cluster-${name}`, { signal, doing, fine: [404] })
    },
  }
}

function seenOf(secret: JsonRecord): [string, FacetSeen] {
  const metadata = recordOf(secret['metadata'])
  const labels = textMapOf(metadata['labels'])
  const notes = textMapOf(metadata['annotations'])
  const spec = {
    server: notes['tend-fleet/server'] ?? '',
    authority: notes[authority] ?? '',
    provider: labels['provider'] ?? '',
  }
  const isWhole = textOf(recordOf(secret['data'])['config']) !== ''
  const isMarked = labels['argocd.argoproj.io/secret-type'] === 'cluster'
  const name = textOf(metadata['name']).replace(/^cluster-/, '')
  return [name, { spec, ...(isWhole && isMarked ? {} : { drift: 'it is not whole' }) }]
}

async function apply(
  api: Kubernetes,
  path: string,
  body: JsonRecord,
  doing: string,
  signal: AbortSignal,
): Promise<void> {
  await api.ask('PATCH', path, {
    query: { fieldManager: 'tend', force: true, fieldValidation: 'Strict' },
    contentType: 'application/apply-patch+yaml',
    body,
    signal,
    doing,
  })
}

const pause = 200
const longest = 20_000

/** The account, what it may do, and a token that lasts as long as the account. */
async function tokenIn(
  api: Kubernetes,
  sleep: ArgoInput['sleep'],
  signal: AbortSignal,
): Promise<string> {
  const { name, namespace } = account
  const doing = 'could not make the account of Argo CD'
  const inside = `/api/v1/namespaces/${namespace}`
  const rbac = '/apis/rbac.authorization.k8s.io/v1'
  const role = `${name}-role`
  const all = { apiGroups: ['*'], resources: ['*'], verbs: ['*'] }
  const subject = { kind: 'ServiceAccount', name, namespace }
  const objects: readonly (readonly [string, JsonRecord])[] = [
    [`${inside}/serviceaccounts/${name}`, object('v1', 'ServiceAccount', account, {})],
    [
      `${rbac}/clusterroles/${role}`,
      object(
        'rbac.authorization.k8s.io/v1',
        'ClusterRole',
        { name: role },
        {
          rules: [all, { nonResourceURLs: ['*'], verbs: ['*'] }],
        },
      ),
    ],
    [
      `${rbac}/clusterrolebindings/${role}-binding`,
      object(
        'rbac.authorization.k8s.io/v1',
        'ClusterRoleBinding',
        { name: `${role}-binding` },
        {
          roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
          subjects: [subject],
        },
      ),
    ],
    [
      `${inside}/secrets/${name}-token`,
      object(
        'v1',
        'Secret',
        {
          name: `${name}-token`,
          namespace,
          annotations: { 'kubernetes.io/service-account.name': name },
        },
        { type: 'kubernetes.io/service-account-token' },
      ),
    ],
  ]
  for (const [path, body] of objects) await apply(api, path, body, doing, signal)
  for (let waited = 0; waited < longest; waited += pause) {
    const said = await api.ask('GET', `${inside}/secrets/${name}-token`, { signal, doing })
    const token = textOf(recordOf(recordOf(said.body)['data'])['token'])
    if (token !== '') return Buffer.from(token, 'base64').toString()
    await sleep(pause, signal)
  }
  throw new Problem({
    type: 'runtime',
    code: 'timed_out',
    message: 'the cluster gives the account of Argo CD no token',
    suggestion: 'see that its kube-controller-manager runs',
    recoverable: true,
  })
}

function object(
  apiVersion: string,
  kind: string,
  metadata: JsonRecord,
  rest: JsonRecord,
): JsonRecord {
  return { apiVersion, kind, metadata, ...rest }
}

/** An authority and `insecure` exclude each other: there is no way to say the second. */
function secretOf(
  name: string,
  spec: Json,
  token: string,
  ca: string | undefined,
  { namespace, fleet, host }: ArgoInput,
): JsonRecord {
  const wanted = isRecord<Json>(spec) ? spec : {}
  const server = new URL(textOf(wanted['server']))
  const serverName = server.hostname
  if (host !== undefined) server.hostname = host
  const tlsClientConfig = {
    insecure: false,
    ...(ca === undefined ? {} : { caData: Buffer.from(ca).toString('base64') }),
    ...(host === undefined ? {} : { serverName }),
  }
  const provider = textOf(wanted['provider'])
  return object(
    'v1',
    'Secret',
    {
      name: `cluster-${name}`,
      namespace,
      labels: {
        'argocd.argoproj.io/secret-type': 'cluster',
        env: name,
        provider,
        type: 'business',
        [own]: fleet,
      },
      annotations: {
        'tend-fleet/server': textOf(wanted['server']),
        [authority]: textOf(wanted['authority']),
      },
    },
    {
      stringData: {
        name,
        server: server.href.replace(/\/$/, ''),
        config: JSON.stringify({ bearerToken: token, tlsClientConfig }),
      },
    },
  )
}
