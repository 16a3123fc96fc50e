/** Namespaces and volumes that a service takes from another container. */
import type { Service } from '#formats/compose/schema/file.ts'
import type { Later } from '#model/value.ts'
import type { Joined, JoinedVolumes } from '../spec.ts'
import { refsOf, type Replicas } from './dependencies.ts'
import { seal, type Stage } from './stage.ts'

const fields = ['network_mode', 'ipc', 'pid', 'uts'] as const

/** `service:x` becomes the id of its first container, known once that exists. */
export function joinsOf(service: Service, replicas: Replicas): Readonly<Record<string, Later>> {
  const joined = fields.flatMap((field) => {
    const id = idOf((service[field] ?? '').match(/^service:(.+)$/)?.[1], replicas)
    return id === undefined ? [] : [[field, id] as const]
  })
  return Object.fromEntries(joined)
}

/** `x`, `x:ro`, `container:name`, `container:name:ro`. */
export function volumesFromOf(service: Service, replicas: Replicas): readonly JoinedVolumes[] {
  return (service.volumes_from ?? []).flatMap((text): readonly JoinedVolumes[] => {
    const parts = text.split(':')
    const readOnly = parts.at(-1) === 'ro'
    if (parts[0] === 'container') return [{ container: parts[1] ?? '', readOnly }]
    const container = idOf(parts[0], replicas)
    return container === undefined ? [] : [{ container, readOnly }]
  })
}

/** What its hash is made of once the ids are known; undefined for one that uses nothing of another. */
export function joinedOf(
  stage: Stage,
  name: string,
  service: Service,
  replicas: Replicas,
): Joined | undefined {
  const texts = stage.joinedTexts(name)
  if (texts.length === 0) return undefined
  const named = [
    ...fields.map((field) => (service[field] ?? '').match(/^service:(.+)$/)?.[1]),
    ...(service.volumes_from ?? []).map((text) => text.split(':')[0]),
  ]
  const ids = named.flatMap((other) => {
    const id = idOf(other, replicas)
    return other === undefined || id === undefined ? [] : [[other, id] as const]
  })
  return {
    texts: texts.map((text, index) =>
      seal(stage, `services.${name} as it is hashed ${index}`, new TextEncoder().encode(text)),
    ),
    ids: Object.fromEntries(ids),
  }
}

function idOf(service: string | undefined, replicas: Replicas): Later | undefined {
  const [first] = service === undefined ? [] : refsOf(service, replicas)
  return first === undefined ? undefined : { from: first, output: 'id' }
}
