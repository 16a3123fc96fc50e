/** Objects as repositories hold them, from few names, so that they refer to each other. */
import type { Draw } from './draw.ts'
import { shapes } from './shapes.ts'
import { filled, labels, names, namespaces, oddText, type Made, type Map } from './values.ts'

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
