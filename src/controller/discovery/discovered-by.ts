/** What the mark of an application says of the tree it was found in. */
import type { Discovery } from '#model/declaration.ts'
import { hashOf } from '#model/json.ts'
import { wordsOfSource } from '#model/source-place.ts'

/** The name alone is not enough: that of docker-cd's variables is everybody's, and services share engines. */
export function discoveredByText({ name, source, path }: Discovery): string {
  return `${name} ${hashOf([...wordsOfSource(source), path]).slice(0, 12)}`
}
