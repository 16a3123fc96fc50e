/** What the mark of an application says of the tree it was found in. */
import type { Discovery } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'

/** The name alone is not enough: that of docker-cd's variables is everybody's, and services share engines. */
export function foundByText({ name, source, path }: Discovery): string {
  const where = source.kind === 'git' ? [source.url, source.ref] : [source.path]
  return `${name} ${hashOf([...where, path]).slice(0, 12)}`
}
