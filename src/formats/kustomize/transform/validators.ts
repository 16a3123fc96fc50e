/** A validator may object to resources, but not change them. */
import { KustomizeError } from '../error.ts'
import { jsonOf, plainOf } from '../yaml/plain.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import { type Resource, setTexts, textsIn } from '../load/resource.ts'

const mark = 'validated-by'

export function validated(set: ResourceSet, validator: Resource, run: () => void): void {
  const before = set.list.map((resource) => jsonOf(plainOf(resource.node)))
  run()
  const isSame =
    set.list.length === before.length &&
    set.list.every((resource, i) => jsonOf(plainOf(unmarked(resource).node)) === before[i])
  if (!isSame) throw new KustomizeError('a validator must not change resources', validator.place)
}

/** The label by which a validator marks its resources is allowed. */
function unmarked(resource: Resource): Resource {
  const labels = textsIn(resource.node, 'labels')
  if (!labels.has(mark)) return resource
  labels.delete(mark)
  const copy = { ...resource, node: structuredClone(resource.node) }
  setTexts(copy.node, 'labels', labels)
  return copy
}
