/** One file for each object, named as kustomize names them. */
import type { Built, JsonObject } from '#formats/kustomize/build.ts'
import { knownScope } from '#formats/kustomize/patch/merge-keys.ts'
import { recordOf, textOf } from '#model/read-json.ts'

/** Pairs of name and text. The namespace is part of the names only where there is more than one. */
export function splitFiles({ resources, text }: Built): readonly (readonly [string, string])[] {
  const texts = text.split(/^---\n/m)
  const spaces = new Set(resources.map(({ object }) => namespaceOf(object)))
  spaces.delete('')
  return resources.map(({ object }, i) => {
    const metadata = recordOf(object['metadata'])
    const [version, group] = textOf(object['apiVersion']).split('/').toReversed()
    const parts = [group, version, textOf(object['kind']), textOf(metadata['name'])]
    const name = parts.filter((part) => part !== undefined && part !== '').join('_')
    const space = namespaceOf(object)
    const prefix = spaces.size > 1 && space !== '' ? `${space}_` : ''
    return [`${prefix}${name}`.toLowerCase().replaceAll('/', '_') + '.yaml', texts[i] ?? '']
  })
}

/** Empty where the kind has no namespace. An object that names none is in `default`. */
function namespaceOf(object: JsonObject): string {
  const isOfCluster = knownScope(textOf(object['apiVersion']), textOf(object['kind'])) === 'cluster'
  if (isOfCluster) return ''
  return textOf(recordOf(object['metadata'])['namespace']) || 'default'
}
