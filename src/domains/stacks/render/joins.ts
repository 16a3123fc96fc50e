/** Namespaces and volumes that a service takes from another container. */
import { textOf, textsOf } from '#clients/http/read.ts'
import type { JsonRecord } from '#model/json.ts'
import type { Later } from '#model/value.ts'
import type { JoinedVolumes } from '../spec.ts'
import { refsOf, type Replicas } from './dependencies.ts'

const fields = ['network_mode', 'ipc', 'pid', 'uts'] as const

/** `service:x` becomes the id of its first container, known once that exists. */
export function joinsOf(service: JsonRecord, replicas: Replicas): Readonly<Record<string, Later>> {
  const joined = fields.flatMap((field) => {
    const id = idOf(textOf(service[field]).match(/^service:(.+)$/)?.[1], replicas)
    return id === undefined ? [] : [[field, id] as const]
  })
  return Object.fromEntries(joined)
}

/** `x`, `x:ro`, `container:name`, `container:name:ro`. */
export function volumesFromOf(service: JsonRecord, replicas: Replicas): readonly JoinedVolumes[] {
  return textsOf(service['volumes_from']).flatMap((text): readonly JoinedVolumes[] => {
    const parts = text.split(':')
    const readOnly = parts.at(-1) === 'ro'
    if (parts[0] === 'container') return [{ container: parts[1] ?? '', readOnly }]
    const container = idOf(parts[0], replicas)
    return container === undefined ? [] : [{ container, readOnly }]
  })
}

function idOf(service: string | undefined, replicas: Replicas): Later | undefined {
  const [first] = service === undefined ? [] : refsOf(service, replicas)
  return first === undefined ? undefined : { from: first, output: 'id' }
}
