/** Patches of both kinds for objects that are there. */
import type { Draw } from './draw.ts'
import { images, labels, names, oddText, type Made } from './values.ts'
import { Raw, type Data } from './write.ts'

type Map = { readonly [key: string]: Data | undefined }

const workloads = ['Deployment', 'StatefulSet', 'DaemonSet']

export function isWorkload({ kind }: Made): boolean {
  return workloads.includes(kind)
}

export function mergePatch(draw: Draw, made: Made): Map {
  const { apiVersion, kind, name, namespace } = made
  const metadata: Map = {
    name,
    namespace: namespace === '' ? undefined : namespace,
    labels: draw.chance(30) ? { ...labels(draw), added: oddText(draw) } : undefined,
    annotations: draw.chance(20)
      ? { patched: oddText(draw), note: draw.chance(30) ? null : undefined }
      : undefined,
  }
  if (draw.chance(4))
    return { apiVersion, kind, metadata, $patch: draw.pick(['delete', 'replace', 'merge']) }
  return { apiVersion, kind, metadata, ...body(draw, made) }
}

function body(draw: Draw, made: Made): Map {
  if (isWorkload(made)) {
    return {
      spec: {
        replicas: draw.chance(40) ? draw.pick([new Raw('7'), null, new Raw('"3"')]) : undefined,
        template: draw.chance(70) ? { spec: podPatch(draw) } : undefined,
        strategy: draw.chance(10) ? { type: 'Recreate', rollingUpdate: null } : undefined,
      },
    }
  }
  switch (made.kind) {
    case 'ConfigMap':
      return { data: { a: draw.chance(20) ? null : oddText(draw), added: oddText(draw) } }
    case 'Secret':
      return { stringData: { a: oddText(draw) } }
    case 'Service':
      return {
        spec: {
          ports: [
            {
              port: draw.pick([80, 81]),
              nodePort: 30000,
              $patch: draw.chance(15) ? 'delete' : undefined,
            },
          ],
          type: draw.chance(50) ? 'LoadBalancer' : undefined,
        },
      }
    case 'Widget':
      return {
        spec: {
          size: new Raw(draw.pick(['5', '"5"', 'null'])),
          items: [{ name: 'two', value: oddText(draw) }],
          extra: { deep: [1, 2] },
        },
      }
    case 'CronJob':
      return { spec: { jobTemplate: { spec: { template: { spec: podPatch(draw) } } } } }
    case 'Pod':
      return { spec: podPatch(draw) }
    case 'Job':
      return { spec: { template: { spec: podPatch(draw) } } }
    case 'Ingress':
      return {
        spec: {
          rules: draw.chance(50) ? [{ host: 'b.example' }] : undefined,
          ingressClassName: 'x',
        },
      }
    case 'Role':
    case 'ClusterRole':
      return { rules: [{ apiGroups: ['apps'], resources: ['*'], verbs: ['list'] }] }
    default:
      return {}
  }
}

function podPatch(draw: Draw): Map {
  const count = 1 + draw.below(2)
  return {
    containers: Array.from({ length: count }, (_, i): Data => {
      const name = draw.pick(['c0', 'c1', `sidecar${i}`])
      if (draw.chance(8)) return { name, $patch: draw.pick(['delete', 'replace']) }
      return {
        name,
        image: draw.chance(40) ? draw.pick(images) : undefined,
        env: draw.chance(40)
          ? [
              { name: draw.pick(['PORT', 'NEW']), value: oddText(draw) },
              ...(draw.chance(15) ? [{ name: 'HOST', $patch: 'delete' }] : []),
            ]
          : undefined,
        args: draw.chance(20) ? ['one', oddText(draw)] : undefined,
        ports: draw.chance(20)
          ? [{ containerPort: draw.pick([80, 9090]), hostPort: 1 }]
          : undefined,
        command: draw.chance(8) ? null : undefined,
        volumeMounts: draw.chance(15) ? [{ name: 'v0', mountPath: '/new' }] : undefined,
      }
    }),
    volumes: draw.chance(20)
      ? [
          {
            name: draw.pick(['v0', 'v9']),
            emptyDir: {},
            configMap: draw.chance(30) ? null : undefined,
          },
        ]
      : undefined,
    tolerations: draw.chance(10) ? [{ key: 'b', operator: 'Exists' }] : undefined,
    imagePullSecrets: draw.chance(10) ? [{ name: draw.pick(names) }] : undefined,
    $setElementOrder: undefined,
    nodeSelector: draw.chance(10)
      ? { $patch: draw.pick(['replace', 'delete']), zone: 'a' }
      : undefined,
  }
}

export function operations(draw: Draw, made: Made): Data {
  const of = (): Map => {
    const common: readonly Map[] = [
      { op: 'add', path: '/metadata/labels', value: { set: oddText(draw) } },
      { op: 'add', path: '/metadata/annotations', value: { 'a/b': draw.pick(names) } },
      { op: 'replace', path: '/metadata/name', value: `${made.name}-renamed` },
      { op: 'remove', path: '/metadata/labels' },
      { op: 'test', path: '/kind', value: made.kind },
      { op: 'copy', from: '/metadata/name', path: '/metadata/generateName' },
    ]
    const own: readonly Map[] = isWorkload(made)
      ? [
          { op: 'replace', path: '/spec/replicas', value: new Raw(draw.pick(['4', '"4"'])) },
          {
            op: 'add',
            path: '/spec/template/spec/containers/-',
            value: { name: 'extra', image: draw.pick(images) },
          },
          {
            op: 'replace',
            path: '/spec/template/spec/containers/0/image',
            value: draw.pick(images),
          },
          {
            op: 'add',
            path: '/spec/template/spec/containers/0/env',
            value: [{ name: 'J', value: oddText(draw) }],
          },
          { op: 'remove', path: '/spec/template/spec/containers/1' },
          { op: 'move', from: '/spec/selector', path: '/spec/was' },
        ]
      : [
          {
            op: 'add',
            path: '/spec',
            value: { set: [1, new Raw('1.5'), oddText(draw), null, true] },
          },
          { op: 'add', path: '/data', value: { 'a~1b': oddText(draw) } },
        ]
    return draw.chance(60) ? draw.pick(own) : draw.pick(common)
  }
  return Array.from({ length: 1 + draw.below(3) }, of)
}

export function target(draw: Draw, made: Made): Map {
  const group = made.apiVersion.includes('/') ? made.apiVersion.split('/')[0]! : undefined
  switch (draw.below(6)) {
    case 1:
      return { kind: made.kind }
    case 2:
      return { group, kind: made.kind, name: made.name }
    case 3:
      return {
        kind: draw.pick(['Deployment|StatefulSet', made.kind]),
        name: draw.pick(['.*', 'w.*', made.name]),
      }
    case 4:
      return {
        labelSelector: draw.pick(['app=web', 'app in (web,api)', 'tier', '!tier', 'app!=web']),
      }
    case 5:
      return {
        kind: made.kind,
        namespace: made.namespace === '' ? undefined : made.namespace,
        annotationSelector: draw.chance(30) ? 'note' : undefined,
      }
    default:
      return { kind: made.kind, name: made.name }
  }
}
