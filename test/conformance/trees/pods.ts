/** Pods and what holds them: containers, environments, volumes, with references to other objects. */
import type { Draw } from './draw.ts'
import { images, names, oddText, type Map } from './values.ts'
import { Raw } from './write.ts'

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

export function workload(draw: Draw, more: Map = {}): Map {
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
