/** Where a value was set that charts and users have merged: the last file or flag that says something of it. */
import { isList, isRecord } from '#model/json.ts'
import type { Place } from '#model/problem.ts'
import type { ChartNode } from './chart-tree.ts'
import type { ValueSource } from './values.ts'

export type ValuePath = readonly (string | number)[]

type ValuePlace = {
  /** Undefined: it was set by a flag. */
  readonly at: Place | undefined
  /** The flag. */
  readonly flag: string | undefined
}

/** `path` leads from the values of the root; of a key, to where the key stands. */
export function valuePlaces(
  root: ChartNode,
  given: readonly ValueSource[],
): (path: ValuePath, isKey: boolean) => ValuePlace {
  return (path, isKey) => {
    const own: (readonly [ValueSource, ValuePath])[] = given
      .toReversed()
      .map((source) => [source, path] as const)
    let node: ChartNode | undefined = root
    for (let depth = 0; node !== undefined; depth++) {
      if (node.source !== undefined) own.push([node.source, path.slice(depth)])
      const name: string | number | undefined = path[depth]
      node = node.children.find((child) => child.name === name)
    }
    // what is missing has no place: then the map that should hold it
    for (let length = path.length; length > 0; length--) {
      for (const [source, inside] of own) {
        const part = inside.slice(0, inside.length - (path.length - length))
        if (part.length > 0 && hasPath(source.values, part))
          return placeIn(source, part, isKey && length === path.length)
      }
    }
    const [[source] = []] = own.filter(([each]) => each.document !== undefined)
    const file = source?.name ?? 'values.yaml'
    return { at: { file, line: 1, column: 1 }, flag: undefined }
  }
}

function placeIn({ name, document }: ValueSource, path: ValuePath, isKey: boolean): ValuePlace {
  if (document === undefined) return { at: undefined, flag: name }
  const { line, column } = isKey ? document.keyAt(path) : document.valueAt(path)
  return { at: { file: name, line, column }, flag: undefined }
}

function hasPath(values: unknown, path: ValuePath): boolean {
  let here = values
  for (const key of path) {
    if (isList(here) && typeof key === 'number' && key < here.length) here = here[key]
    else if (isRecord(here) && Object.hasOwn(here, key)) here = here[String(key)]
    else return false
  }
  return true
}
