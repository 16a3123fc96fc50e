/** In which line of a kustomization an entry of a field stands, for messages. */
import type { Node } from '../yaml/node.ts'
import { defined } from '#model/defined.ts'

export type EntryLine = (field: string, index?: number) => number

/** Fields that older ones are added to. */
const older = new Map([
  ['resources', 'bases'],
  ['images', 'imageTags'],
])

export function entryLines(root: Node | undefined): EntryLine {
  return (name, index) => {
    const [own, before] = [find(root, name), find(root, older.get(name) ?? '')]
    if (index === undefined) return own?.key.line ?? before?.key.line ?? 1
    const items = [...(own?.value.content ?? []), ...(before?.value.content ?? [])]
    return items[index]?.line ?? own?.key.line ?? 1
  }
}

function find(root: Node | undefined, name: string): { key: Node; value: Node } | undefined {
  if (root?.kind !== 'map' || name === '') return undefined
  const { content } = root
  for (let i = 0; i < content.length; i += 2) {
    if (defined(content[i]).value.toLowerCase() !== name.toLowerCase()) continue
    return { key: defined(content[i]), value: defined(content[i + 1]) }
  }
  return undefined
}
