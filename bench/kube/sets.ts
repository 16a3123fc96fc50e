/** Many kustomizations of one repository, each with a folder of its own; their objects are healthy as soon as they are there. */
import { stringify } from 'yaml'
import type { JsonRecord } from '#model/json.ts'
import {
  kustomization,
  type Fields,
  type FluxWorld,
  type Live,
} from '../../test/testbed/flux-world.ts'
import { isReady, sets } from '../../test/testbed/flux-world.ts'
import { waited } from '../service/world.ts'

export function setName(n: number): string {
  return `set-${String(n).padStart(3, '0')}`
}

/** Every fifth a Service, the others ConfigMaps. */
export function objectsOf(n: number, count: number, namespace = 'default'): readonly JsonRecord[] {
  return Array.from({ length: count }, (_, index) => {
    const metadata = { name: `${setName(n)}-${index}`, namespace, labels: { app: setName(n) } }
    if (index % 5 === 4) {
      const ports = [{ port: 80, protocol: 'TCP', targetPort: 8080 }]
      const spec = { type: 'ClusterIP', clusterIP: 'None', selector: { app: setName(n) }, ports }
      return { apiVersion: 'v1', kind: 'Service', metadata, spec }
    }
    const data = { level: 'info', text: 'a line of settings\n'.repeat(5) }
    return { apiVersion: 'v1', kind: 'ConfigMap', metadata, data }
  })
}

export function filesOf(from: number, to: number, count: number): Readonly<Record<string, string>> {
  return Object.fromEntries(
    range(from, to).map((n) => [`sets/${setName(n)}/all.yaml`, textOf(objectsOf(n, count))]),
  )
}

/** As people write it. */
function textOf(objects: readonly JsonRecord[]): string {
  return objects.map((object) => stringify(object)).join('---\n')
}

export function kustomizationsOf(from: number, to: number): readonly Fields[] {
  return range(from, to).map((n) => kustomization(setName(n), { path: `./sets/${setName(n)}` }))
}

/** Until so many are Ready at the commit, asked for all at once. */
export async function allReady(world: FluxWorld, count: number, commit: string): Promise<void> {
  await waited(600_000, 200, async () => {
    // from the server's memory: looking on must not keep it from its work
    const { items }: Live = await world.get(`${sets}?resourceVersion=0`)
    return items.filter((one: Live) => isReady(one, commit)).length === count
  }).catch(async (error: unknown) => {
    const { items }: Live = await world.get(sets)
    const late = items.filter((one: Live) => !isReady(one, commit))
    const seen = JSON.stringify(late[0]?.status, null, 1)
    throw new Error(`${late.length} are not Ready: ${seen}\n${world.serving.log()}`, {
      cause: error,
    })
  })
}

export function range(from: number, to: number): readonly number[] {
  return Array.from({ length: to - from }, (_, index) => from + index)
}
