/** Where a declared source is, in words that tell it from others. */
import type { SourceDeclared } from './declaration.ts'

export function wordsOfSource(source: SourceDeclared): readonly string[] {
  if (source.kind === 'git') return [source.url, source.ref]
  return [source.kind === 'artifact' ? source.name : source.path]
}
