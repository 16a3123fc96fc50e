/** Objects as repositories hold them, from few names, so that they refer to each other. */
import type { Draw } from './draw.ts'
import { Raw, type Data } from './write.ts'

export const names = ['web', 'api', 'db', 'cache', 'app-config', 'creds'] as const
export const namespaces = ['', 'default', 'shop', 'ops'] as const
export const images = [
  'nginx',
  'redis:7.2',
  'ghcr.io/acme/api:v1.2',
  'registry:5000/db@sha256:aaaa',
  'busybox:latest',
] as const

type Map = { readonly [key: string]: Data | undefined }

export type Made = {
  readonly apiVersion: string
  readonly kind: string
  readonly name: string
  readonly namespace: string
  readonly data: Map
}

const odd = [
  'x',
  '1',
  'true',
  '',
  'yes',
  '0123',
  '1e3',
  'a: b',
  '#no',
  ' lead',
  'trail ',
  'multi\nline\n',
  'a\n\nb',
  '1.0',
  'null',
  '~',
  '0x1F',
  '2020-01-01',
  'ünï',
  "it's",
  'say "hi"',
  '*star',
  '&amp',
  '- dash',
  '{brace',
  '%pc',
  '@at',
  '`tick',
  '!bang',
  'tab\there',
  '12:30:45',
  '.5',
  '+1',
  '1_000',
  'back\\slash',
  'a'.repeat(90),
  'word '.repeat(30).trim(),
] as const
const raws = [
  '1',
  '"1"',
  'true',
  '~',
  '',
  '0o14',
  '014',
  '0x1F',
  '1e3',
  '1.50',
  '.5',
  '-0',
  'yes',
  "'yes'",
  'on',
  '1_000',
  '2020-01-01',
  '12:30',
  '"a\\tb"',
  '!!str 5',
  '.inf',
  '123456789012345678901',
  '100m',
  '1.0',
  '"null"',
] as const

export function oddText(draw: Draw): string {
  return draw.chance(50) ? draw.pick(odd) : draw.pick(names)
}

export function labels(draw: Draw): Map {
  const found: { [key: string]: Data } = {}
  for (const key of draw.some(['app', 'tier', 'app.kubernetes.io/name', 'version'], 3)) {
    found[key] = draw.chance(20)
      ? draw.pick(['"1"', "'true'", '"yes"', '"1.0"'].map((text) => new Raw(text)))
      : draw.pick(names)
  }
  return found
}

function filled(map: Map): Map | undefined {
  return Object.keys(map).length === 0 ? undefined : map
}

function metadata(draw: Draw, name: string, namespace: string): Map {
  return {
    name,
    namespace: namespace === '' ? undefined : namespace,
    labels: filled(labels(draw)),
    annotations: draw.chance(20)
      ? { note: oddText(draw), 'example.com/ref': draw.pick(names) }
      : undefined,
  }
}

function environment(draw: Draw): readonly Map[] | undefined {
  const made = draw.some(['PORT', 'HOST', 'MODE', 'TOKEN', 'URL'], 3).map((name, i): Map => {
    const key = draw.pick(['a', 'b', 'password'])
    switch (draw.below(5)) {
      case 1:
        return { name, valueFrom: { configMapKeyRef: { name: draw.pick(names), key } } }
      case 2:
        return {
          name,
          valueFrom: { secretKeyRef: { name: draw.pick(names), key, optional: i === 0 } },
        }
      case 3:
        return { name, value: new Raw(draw.pick(['"1"', "'on'", '"$(HOST)"', '""'])) }
      case 4:
        return { name, valueFrom: { fieldRef: { fieldPath: 'metadata.name' } } }
      default:
        return { name, value: oddText(draw) }
    }
  })
  return made.length === 0 ? undefined : made
}

function container(draw: Draw, name: string): Map {
  return {
    name,
    image: draw.pick(images),
    args: draw.chance(25)
      ? ['--name', draw.pick(['$(HOST)', '$(NAME_VAR)', 'plain', '$$(X)']), oddText(draw)]
      : undefined,
    env: environment(draw),
    envFrom: draw.chance(20)
      ? [{ configMapRef: { name: draw.pick(names) } }, { secretRef: { name: draw.pick(names) } }]
      : undefined,
    ports: draw.chance(40)
      ? draw.some([80, 443, 8080], 3).map((port, i) => ({
          containerPort: port,
          name: draw.chance(50) ? `p${i}` : undefined,
          protocol: draw.chance(30) ? 'UDP' : undefined,
        }))
      : undefined,
    resources: draw.chance(20)
      ? { limits: { cpu: new Raw(draw.pick(['1', '500m', '"2"', '0.5'])), memory: '64Mi' } }
      : undefined,
    volumeMounts: draw.chance(25)
      ? [
          { name: 'v0', mountPath: '/v0' },
          { name: 'v1', mountPath: '/v1', readOnly: true },
        ]
      : undefined,
  }
}

function volume(draw: Draw, name: string): Map {
  switch (draw.below(6)) {
    case 1:
      return { name, secret: { secretName: draw.pick(names) } }
    case 2:
      return { name, persistentVolumeClaim: { claimName: draw.pick(names) } }
    case 3:
      return { name, emptyDir: {} }
    case 4:
      return {
        name,
        projected: {
          sources: [
            { configMap: { name: draw.pick(names) } },
            { secret: { name: draw.pick(names) } },
          ],
        },
      }
    case 5:
      return { name, hostPath: { path: '/x' } }
    default:
      return {
        name,
        configMap: {
          name: draw.pick(names),
          items: draw.chance(30) ? [{ key: 'a', path: 'a' }] : undefined,
        },
      }
  }
}

export function podSpec(draw: Draw): Map {
  return {
    containers: ['c0', 'c1', 'c2'].slice(0, 1 + draw.below(3)).map((name) => container(draw, name)),
    initContainers: draw.chance(15) ? [container(draw, 'init')] : undefined,
    volumes: draw.chance(40) ? ['v0', 'v1'].map((name) => volume(draw, name)) : undefined,
    serviceAccountName: draw.chance(25) ? draw.pick(names) : undefined,
    imagePullSecrets: draw.chance(15) ? [{ name: draw.pick(names) }] : undefined,
    nodeSelector: draw.chance(10) ? { disk: oddText(draw) } : undefined,
    tolerations: draw.chance(10) ? [{ key: 'a', operator: 'Exists' }] : undefined,
  }
}

function workload(draw: Draw, more: Map = {}): Map {
  const selector = { app: draw.pick(names) }
  return {
    replicas: draw.chance(60) ? draw.below(5) : undefined,
    selector: { matchLabels: selector },
    ...more,
    template: {
      metadata: {
        labels: selector,
        annotations: draw.chance(15) ? { a: oddText(draw) } : undefined,
      },
      spec: podSpec(draw),
    },
  }
}

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

export function makeObject(draw: Draw): Made {
  const [apiVersion, kind, make, isClusterWide = false] = draw.pick(shapes)
  const name = kind === 'CustomResourceDefinition' ? 'widgets.example.com' : draw.pick(names)
  const namespace = isClusterWide ? '' : draw.chance(40) ? draw.pick(namespaces) : ''
  const data = {
    apiVersion,
    kind,
    metadata: metadata(draw, name, namespace),
    ...make(draw, namespace),
  }
  return { apiVersion, kind, name, namespace, data }
}
