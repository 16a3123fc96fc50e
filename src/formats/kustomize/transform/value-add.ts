/** Puts one value into a field of many resources, as a whole or as one part of a path in it. */
import { at, fail } from '../error.ts'
import { lookupCreate, requireKind, setScalar, splitPath } from '../yaml/fields.ts'
import type { ResourceSet } from '../load/resource-set.ts'
import { namespaceSetter } from '../names/transform-names.ts'
import { type Selector, select } from './selector.ts'
import { defined } from '#model/defined.ts'

type ValueTarget = {
  readonly selector?: Selector
  readonly fieldPath?: string
  readonly filePathPosition?: number
}

export function addValue(set: ResourceSet, value: string, targets: readonly ValueTarget[]): void {
  if (targets.length === 0) fail('a ValueAddTransformer needs at least one target')
  for (const target of targets) {
    if (!target.fieldPath) fail('a target of a ValueAddTransformer needs a fieldPath')
    if ((target.filePathPosition ?? 0) < 0) fail('filePathPosition must not be negative')
  }
  const inNamespace = namespaceSetter({
    namespace: value,
    specs: [],
    isUnsetOnly: false,
    subjects: 'defaultOnly',
  })
  for (const { selector, fieldPath, filePathPosition } of targets) {
    const chosen = selector === undefined ? set.list : select(set.list, selector)
    for (const resource of chosen) {
      at(resource.place, () => {
        if (fieldPath === 'metadata/namespace') return inNamespace(resource)
        const node = lookupCreate(resource.node, 'scalar', splitAll(defined(fieldPath)))
        requireKind(node, 'scalar')
        const position = filePathPosition ?? 0
        setScalar(node, position > 0 ? inserted(node.value, position - 1, value) : value)
      })
    }
  }
}

function splitAll(path: string): string[] {
  return path.startsWith('/') ? ['', ...splitPath(path, '/')] : splitPath(path, '/')
}

/** A path that was absolute stays so. */
function inserted(path: string, position: number, part: string): string {
  const parts = path.split('/').filter((one) => one !== '')
  parts.splice(Math.min(position, parts.length), 0, part)
  return `${path.startsWith('/') ? '/' : ''}${parts.join('/')}`
}
