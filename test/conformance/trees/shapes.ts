/** The kinds of objects that repositories hold, each with a body that refers to others. */
import type { Draw } from './draw.ts'
import { podSpec, workload } from './pods.ts'
import { images, names, oddText, raws, type Map } from './values.ts'
import { Raw, type Data } from './write.ts'

function plainData(draw: Draw): Map {
  const data: { [key: string]: Data } = {}
  for (const key of draw.some(['a', 'b', 'key.txt', 'host'], 4)) {
    data[key] = draw.chance(20) ? new Raw(draw.pick(raws)) : oddText(draw)
  }
  return data
}

type Maker = (draw: Draw, namespace: string) => Map
type Shape = readonly [apiVersion: string, kind: string, make: Maker, isClusterWide?: boolean]

const reference = (draw: Draw) => draw.pick(names)
const subjects = (draw: Draw): Data => [
  {
    kind: 'ServiceAccount',
    name: draw.pick(['default', ...names]),
    namespace: draw.chance(70) ? draw.pick(['default', 'shop', 'ops']) : undefined,
  },
  ...(draw.chance(30)
    ? [{ kind: 'User', name: 'jane', apiGroup: 'rbac.authorization.k8s.io' }]
    : []),
]
const rules: Data = [
  {
    apiGroups: [''],
    resources: ['configmaps', 'secrets'],
    verbs: ['get'],
    resourceNames: ['app-config'],
  },
]

export const shapes: readonly Shape[] = [
  ['v1', 'ConfigMap', (draw) => ({ data: plainData(draw) })],
  ['apps/v1', 'Deployment', (draw) => ({ spec: workload(draw) })],
  [
    'v1',
    'Service',
    (draw) => ({
      spec: {
        selector: { app: reference(draw) },
        type: draw.chance(20) ? 'NodePort' : undefined,
        ports: [
          {
            port: 80,
            targetPort: draw.chance(50) ? 8080 : 'http',
            name: draw.chance(50) ? 'http' : undefined,
          },
          ...(draw.chance(40) ? [{ port: 443, protocol: 'TCP' }] : []),
        ],
      },
    }),
  ],
  [
    'v1',
    'Secret',
    (draw) => ({
      type: 'Opaque',
      stringData: draw.chance(40) ? plainData(draw) : undefined,
      data: draw.chance(60) ? { password: 'aGk=' } : undefined,
    }),
  ],
  [
    'apps/v1',
    'StatefulSet',
    (draw) => ({
      spec: workload(draw, {
        serviceName: reference(draw),
        volumeClaimTemplates: draw.chance(40)
          ? [
              {
                metadata: { name: 'v0' },
                spec: { accessModes: ['ReadWriteOnce'], storageClassName: reference(draw) },
              },
            ]
          : undefined,
      }),
    }),
  ],
  [
    'v1',
    'ServiceAccount',
    (draw) => ({
      imagePullSecrets: draw.chance(40) ? [{ name: reference(draw) }] : undefined,
      secrets: draw.chance(30) ? [{ name: reference(draw) }] : undefined,
    }),
  ],
  ['rbac.authorization.k8s.io/v1', 'Role', () => ({ rules })],
  [
    'rbac.authorization.k8s.io/v1',
    'RoleBinding',
    (draw) => ({
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: draw.pick(['Role', 'ClusterRole']),
        name: reference(draw),
      },
      subjects: subjects(draw),
    }),
  ],
  ['rbac.authorization.k8s.io/v1', 'ClusterRole', () => ({ rules }), true],
  [
    'rbac.authorization.k8s.io/v1',
    'ClusterRoleBinding',
    (draw) => ({
      roleRef: {
        apiGroup: 'rbac.authorization.k8s.io',
        kind: 'ClusterRole',
        name: reference(draw),
      },
      subjects: subjects(draw),
    }),
    true,
  ],
  [
    'networking.k8s.io/v1',
    'Ingress',
    (draw) => ({
      spec: {
        tls: draw.chance(30) ? [{ hosts: ['a.example'], secretName: reference(draw) }] : undefined,
        rules: [
          {
            host: 'a.example',
            http: {
              paths: [
                {
                  path: '/',
                  pathType: 'Prefix',
                  backend: { service: { name: reference(draw), port: { number: 80 } } },
                },
              ],
            },
          },
        ],
      },
    }),
  ],
  [
    'autoscaling/v2',
    'HorizontalPodAutoscaler',
    (draw) => ({
      spec: {
        minReplicas: 1,
        maxReplicas: 3,
        scaleTargetRef: {
          apiVersion: 'apps/v1',
          kind: draw.pick(['Deployment', 'StatefulSet']),
          name: reference(draw),
        },
      },
    }),
  ],
  [
    'batch/v1',
    'CronJob',
    (draw) => ({
      spec: {
        schedule: '0 * * * *',
        jobTemplate: {
          spec: {
            template: {
              metadata: draw.chance(50) ? { labels: { app: reference(draw) } } : undefined,
              spec: { ...podSpec(draw), restartPolicy: 'Never' },
            },
          },
        },
      },
    }),
  ],
  [
    'batch/v1',
    'Job',
    (draw) => ({ spec: { template: { spec: { ...podSpec(draw), restartPolicy: 'Never' } } } }),
  ],
  ['v1', 'Pod', (draw) => ({ spec: podSpec(draw) })],
  ['apps/v1', 'DaemonSet', (draw) => ({ spec: workload(draw) })],
  [
    'v1',
    'PersistentVolumeClaim',
    (draw) => ({
      spec: {
        accessModes: ['ReadWriteOnce'],
        storageClassName: reference(draw),
        volumeName: draw.chance(40) ? reference(draw) : undefined,
      },
    }),
  ],
  [
    'v1',
    'PersistentVolume',
    (draw) => ({
      spec: {
        storageClassName: reference(draw),
        claimRef: draw.chance(40) ? { name: reference(draw), namespace: 'default' } : undefined,
      },
    }),
    true,
  ],
  [
    'networking.k8s.io/v1',
    'NetworkPolicy',
    (draw) => ({
      spec: {
        podSelector: { matchLabels: { app: reference(draw) } },
        ingress: [{ from: [{ podSelector: { matchLabels: { app: reference(draw) } } }] }],
      },
    }),
  ],
  [
    'policy/v1',
    'PodDisruptionBudget',
    (draw) => ({
      spec: {
        minAvailable: new Raw(draw.pick(['1', '50%', '"1"'])),
        selector: { matchLabels: { app: reference(draw) } },
      },
    }),
  ],
  ['v1', 'Namespace', () => ({}), true],
  [
    'example.com/v1',
    'Widget',
    (draw) => ({
      spec: {
        configRef: { name: reference(draw) },
        size: new Raw(draw.pick(raws)),
        items: [{ name: 'one', value: oddText(draw) }, { name: 'two' }],
        image: draw.pick(images),
      },
    }),
  ],
  [
    'apiextensions.k8s.io/v1',
    'CustomResourceDefinition',
    () => ({
      spec: {
        group: 'example.com',
        names: { kind: 'Widget', plural: 'widgets' },
        scope: 'Namespaced',
        versions: [{ name: 'v1', served: true, storage: true }],
      },
    }),
    true,
  ],
  [
    'admissionregistration.k8s.io/v1',
    'ValidatingWebhookConfiguration',
    (draw) => ({
      webhooks: [
        {
          name: 'w.example.com',
          clientConfig: {
            service: {
              name: reference(draw),
              namespace: draw.pick(['default', 'shop']),
              path: '/v',
            },
          },
        },
      ],
    }),
    true,
  ],
  ['storage.k8s.io/v1', 'StorageClass', () => ({ provisioner: 'x' }), true],
]
