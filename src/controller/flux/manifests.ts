/** What Tend is in a cluster: definitions, an account with its rights, a volume for its memory, one pod at a time. */
import type { JsonRecord } from '#model/json.ts'
import { fluxDefinitions } from './definitions.ts'
import { home } from './kinds.ts'

type Installation = {
  readonly image: string
  /** Tend runs elsewhere. */
  readonly onlyKinds: boolean
  /** No rights over objects of its own: each Kustomization acts as its service account. */
  readonly hasTenants: boolean
  /** For who asks Tend over HTTP; undefined: it is there already. */
  readonly token: string | undefined
}

/** Where the token is kept. */
export const tokenName = 'tend-token'

const name = 'tend'
const labels = { 'app.kubernetes.io/name': name, 'app.kubernetes.io/part-of': name }
const metadata = { name, namespace: home, labels }
const everything = ['get', 'list', 'watch', 'create', 'update', 'patch', 'delete']
const reading = ['get', 'list', 'watch']

/** In the order in which they are applied. */
export function manifestsOf(wanted: Installation): readonly JsonRecord[] {
  const { image, hasTenants, token, onlyKinds } = wanted
  const space = (more: JsonRecord): JsonRecord => {
    return { apiVersion: 'v1', kind: 'Namespace', metadata: { name: home, labels: more } }
  }
  if (onlyKinds) return [space(labels), ...fluxDefinitions, ...rolesOfKinds(hasTenants)]
  return [
    space({ ...labels, ...podSecurity }),
    ...fluxDefinitions,
    ...rolesOfKinds(hasTenants),
    priorityClass,
    networkPolicy,
    { apiVersion: 'v1', kind: 'ServiceAccount', metadata },
    ...(hasTenants ? tenantRights : [bindingTo('cluster-admin')]),
    ...(token === undefined ? [] : [tokenSecret(token)]),
    {
      apiVersion: 'v1',
      kind: 'PersistentVolumeClaim',
      metadata,
      spec: { accessModes: ['ReadWriteOnce'], resources: { requests: { storage: '1Gi' } } },
    },
    {
      apiVersion: 'v1',
      kind: 'Service',
      metadata,
      spec: { selector: selected, ports: [{ name: 'http', port: 80, targetPort: 'http' }] },
    },
    deployment(image),
  ]
}

function tokenSecret(token: string): JsonRecord {
  const data = { token: Buffer.from(token).toString('base64') }
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    metadata: { ...metadata, name: tokenName },
    type: 'Opaque',
    data,
  }
}

const selected = { 'app.kubernetes.io/name': name }

/** Pods that reach for the host are refused in the namespace, and what is less than restricted is warned of. */
const podSecurity = {
  'pod-security.kubernetes.io/enforce': 'baseline',
  'pod-security.kubernetes.io/warn': 'restricted',
  'pod-security.kubernetes.io/audit': 'restricted',
}

/** When nodes are full, who repairs a cluster goes last. */
const priorityClass: JsonRecord = {
  apiVersion: 'scheduling.k8s.io/v1',
  kind: 'PriorityClass',
  metadata: { name, labels },
  value: 1_000_000,
  description: 'For Tend, which keeps the rest of the cluster as declared.',
}

/** Anybody may reach the port, where a token or the whole address of an artifact is needed; nothing else of the service is reachable. */
const networkPolicy: JsonRecord = {
  apiVersion: 'networking.k8s.io/v1',
  kind: 'NetworkPolicy',
  metadata,
  spec: {
    podSelector: { matchLabels: selected },
    policyTypes: ['Ingress'],
    ingress: [{ ports: [{ protocol: 'TCP', port: 'http' }] }],
  },
}

const changing = ['create', 'delete', 'deletecollection', 'patch', 'update']

/**
 * Who may see a namespace may see the kinds there. Who may change one may change them too only where each Kustomization acts with
 * the rights of an account: else it would be the way to every right that Tend has.
 */
function rolesOfKinds(hasTenants: boolean): readonly JsonRecord[] {
  const to = (roles: readonly string[]): JsonRecord =>
    Object.fromEntries(
      roles.map((role) => [`rbac.authorization.k8s.io/aggregate-to-${role}`, 'true']),
    )
  return [
    roleOfKinds('view', reading, to(['view', 'edit', 'admin'])),
    roleOfKinds('edit', changing, to(hasTenants ? ['edit', 'admin'] : [])),
  ]
}

function roleOfKinds(role: string, verbs: readonly string[], more: JsonRecord): JsonRecord {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name: `${name}-${role}`, labels: { ...labels, ...more } },
    rules: [
      rule('kustomize.toolkit.fluxcd.io', ['kustomizations'], verbs),
      rule('source.toolkit.fluxcd.io', ['gitrepositories'], verbs),
    ],
  }
}

const tenantRights: readonly JsonRecord[] = [
  {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRole',
    metadata: { name, labels },
    rules: [
      rule('kustomize.toolkit.fluxcd.io', ['kustomizations', 'kustomizations/status'], everything),
      rule('source.toolkit.fluxcd.io', ['gitrepositories', 'gitrepositories/status'], everything),
      rule(
        'source.toolkit.fluxcd.io',
        ['ocirepositories', 'buckets', 'externalartifacts'],
        reading,
      ),
      // what specs name: variables, keys, credentials of repositories
      rule('', ['configmaps', 'secrets'], reading),
      rule('', ['events'], ['create', 'patch']),
      rule('', ['serviceaccounts'], ['impersonate']),
      rule('coordination.k8s.io', ['leases'], ['get', 'create', 'update']),
    ],
  },
  bindingTo(name),
]

function rule(group: string, resources: readonly string[], verbs: readonly string[]): JsonRecord {
  return { apiGroups: [group], resources, verbs }
}

function bindingTo(role: string): JsonRecord {
  return {
    apiVersion: 'rbac.authorization.k8s.io/v1',
    kind: 'ClusterRoleBinding',
    metadata: { name, labels },
    roleRef: { apiGroup: 'rbac.authorization.k8s.io', kind: 'ClusterRole', name: role },
    subjects: [{ kind: 'ServiceAccount', name, namespace: home }],
  }
}

function deployment(image: string): JsonRecord {
  const probe = (path: string): JsonRecord => ({ httpGet: { path, port: 'http' } })
  return {
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata,
    spec: {
      replicas: 1,
      // the volume is for one
      strategy: { type: 'Recreate' },
      selector: { matchLabels: selected },
      template: {
        metadata: { labels },
        spec: {
          serviceAccountName: name,
          priorityClassName: name,
          terminationGracePeriodSeconds: 120,
          securityContext: {
            runAsNonRoot: true,
            runAsUser: 65532,
            runAsGroup: 65532,
            fsGroup: 65532,
            seccompProfile: { type: 'RuntimeDefault' },
          },
          containers: [
            {
              name,
              image,
              args: ['serve', '--kube', '--listen', '0.0.0.0:8080'],
              env: [
                { name: 'TEND_HOME', value: '/data' },
                { name: 'TEND_TOKEN_FILE', value: '/token/token' },
              ],
              ports: [{ name: 'http', containerPort: 8080, protocol: 'TCP' }],
              livenessProbe: probe('/healthz'),
              readinessProbe: probe('/readyz'),
              resources: { requests: { cpu: '100m', memory: '128Mi' }, limits: { memory: '1Gi' } },
              securityContext: {
                allowPrivilegeEscalation: false,
                capabilities: { drop: ['ALL'] },
                readOnlyRootFilesystem: true,
              },
              volumeMounts: [
                { name: 'data', mountPath: '/data' },
                { name: 'tmp', mountPath: '/tmp' },
                { name: 'token', mountPath: '/token', readOnly: true },
              ],
            },
          ],
          volumes: [
            { name: 'data', persistentVolumeClaim: { claimName: name } },
            { name: 'tmp', emptyDir: { medium: 'Memory', sizeLimit: '128Mi' } },
            { name: 'token', secret: { secretName: tokenName, defaultMode: 0o440 } },
          ],
        },
      },
    },
  }
}
