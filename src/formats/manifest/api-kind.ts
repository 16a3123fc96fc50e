/** A kind that a cluster serves, as its API names it; those that a CustomResourceDefinition brings are read from its manifest. */
import type { JsonRecord } from '#model/json.ts'
import { recordOf, recordsOf, textOf } from '#model/read-json.ts'

export type ApiKind = {
  /** `apps/v1`, `v1` */
  readonly apiVersion: string
  readonly group: string
  readonly version: string
  readonly kind: string
  /** As paths name it: `deployments`. */
  readonly plural: string
  readonly isNamespaced: boolean
  readonly verbs: readonly string[]
  readonly subresources: readonly string[]
}

/** The kinds that a CustomResourceDefinition brings, in every version that it serves. */
export function kindsOf(definition: JsonRecord): readonly ApiKind[] {
  const spec = recordOf(definition['spec'])
  const names = recordOf(spec['names'])
  const group = textOf(spec['group'])
  return recordsOf(spec['versions'])
    .filter((version) => version['served'] === true)
    .map((version) => ({
      apiVersion: `${group}/${textOf(version['name'])}`,
      group,
      version: textOf(version['name']),
      kind: textOf(names['kind']),
      plural: textOf(names['plural']),
      isNamespaced: spec['scope'] !== 'Cluster',
      verbs: ['delete', 'deletecollection', 'get', 'list', 'patch', 'create', 'update', 'watch'],
      subresources: Object.keys(recordOf(version['subresources'])),
    }))
}
