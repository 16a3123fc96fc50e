/** Who may say that removing most of an application, or all of it, is meant, and how that is said. */
import type { GuardOptions } from '#engine/plan/guard.ts'
import type { Allowed } from '#model/service.ts'
import type { Unit } from './unit.ts'

/** On a Kustomization. Its value is the revision that was seen: another one is guarded again. */
export const removalAnnotation = 'tend/allow-mass-delete'

export function guardFor(
  { key, application, declared }: Unit,
  revision: string,
  allowed: Allowed | undefined,
): GuardOptions {
  const isSaid = isMeant(revision, declared?.policy.removesFor)
  const { kind, name, namespace } = application
  const isObject = kind === 'kustomization' && declared?.from !== undefined
  const annotated = `annotate it: kubectl -n ${namespace} annotate kustomization ${name} --overwrite ${removalAnnotation}=${revision.slice(0, 12)}; or: `
  return {
    allowEmpty: isSaid || allowed?.empty === true,
    allowMassDelete: isSaid || allowed?.massDelete === true,
    wayOut: (flag) => `${isObject ? annotated : ''}tend sync ${key} --${flag}`,
  }
}

/** `4507ab1`, or as a status has it: `main@sha1:4507ab12…`. */
function isMeant(revision: string, said: string | undefined): boolean {
  const commit = said?.slice(said.lastIndexOf(':') + 1) ?? ''
  return commit.length >= 7 && revision.startsWith(commit)
}
