/** `$patch` in a strategic merge: what to do with the map or list that it stands in. Reading it removes it. */
import { fail } from '../error.ts'
import { clearField, field } from '../yaml/fields.ts'
import { type Node, isEmptyMap, isNull } from '../yaml/node.ts'
import { defined } from '#model/defined.ts'

type Directive = 'merge' | 'replace' | 'delete'

const key = '$patch'

export function directiveOf(patch: Node): Directive {
  if (patch.kind === 'map') return ofMap(patch)
  if (patch.kind === 'list') return ofList(patch)
  return fail('the patch holds a single value where the object has a map or a list')
}

/** Of a map that has nothing under it. What is unknown there is left as it is. */
export function isDeletion(patch: Node): boolean {
  const value = field(patch, key)?.value
  if (value !== 'merge' && value !== 'replace' && value !== 'delete') return false
  clearField(patch, key)
  return value === 'delete'
}

function ofMap(patch: Node): Directive {
  const found = field(patch, key)
  if (found === undefined) return 'merge'
  const directive = known(found.value)
  clearField(patch, key)
  return directive
}

/** In a list it is an item of its own. */
function ofList(patch: Node): Directive {
  const item = patch.content.find((one) => one.kind === 'map' && field(one, key) !== undefined)
  if (item === undefined || item.content.length > 2) return 'merge'
  const value = defined(field(item, key)).value
  const directive = known(value)
  patch.content = patch.content.filter(
    (one) => !isNull(one) && !isEmptyMap(one) && field(one, key)?.value !== value,
  )
  return directive
}

function known(value: string): Directive {
  if (value === 'merge' || value === 'replace' || value === 'delete') return value
  return fail(`${key}: ${value} is unknown; it can be merge, replace or delete`)
}
