/** The name of a chart, read before anything else of it. */
import type { Tree } from '#model/tree.ts'

/** Reads only the name. Whatever else is wrong with the file, the render reports it with its place. */
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
