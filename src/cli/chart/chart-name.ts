/** The name of a chart, read before anything else of it. */
import type { Tree } from '#model/tree.ts'

/** Only what identifies it: whatever else is wrong with the file, rendering says it with its place. */
export async function nameIn(tree: Tree): Promise<string | undefined> {
  const content = tree.read('Chart.yaml')
  if (content === undefined) return undefined
  const text = new TextDecoder().decode(content)
  const plain = /^name: *([A-Za-z][\w.-]*) *$/m.exec(text)?.[1]
  if (plain !== undefined) return plain
  const { parseDocument } = await import('yaml')
  const found: unknown = parseDocument(text).get('name')
  return typeof found === 'string' && found !== '' ? found : undefined
}
