/** Which files of a source count, as its declaration says. */
import type { SourceDeclared } from '#model/declaration.ts'
import type { FilesMeant } from './files.ts'

export function meantBy(source: SourceDeclared): FilesMeant {
  // what is left out of an artifact is not in it
  if (source.kind === 'artifact') return { isWhole: true }
  if (source.kind !== 'git') return {}
  const { ignore, only } = source
  return { ignore, only }
}
