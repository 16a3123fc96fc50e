/** Who may say that removing most of an application, or all of it, is meant, and how that is said. */
import type { GuardOptions } from '#engine/plan/guard.ts'
import { kindNamed } from '#kinds/all.ts'
import type { Allowed } from '#model/service.ts'
import type { AppState } from '../state/app-state.ts'

export function guardFor(
  { key, application, declared }: AppState,
  revision: string,
  allowed: Allowed | undefined,
): GuardOptions {
  const isSaid = isMeant(revision, declared?.policy.removesFor)
  const { objects } = kindNamed(application.kind)
  const isObject = declared?.from !== undefined
  const annotated = isObject ? objects?.allowRemoval(application, revision) : undefined
  const said = {
    allowEmpty: isSaid || allowed?.empty === true,
    allowMassDelete: isSaid || allowed?.massDelete === true,
  }
  // whoever runs it by a command says it by a flag of that command
  if (declared?.isRenderedByRuns === true) return said
  return {
    ...said,
    wayOut: (flag) =>
      `${annotated === undefined ? '' : `${annotated}; or: `}tend sync ${key} --${flag}`,
  }
}

/** `4507ab1`, or as a status has it: `main@sha1:4507ab12…`. */
function isMeant(revision: string, said: string | undefined): boolean {
  const commit = said?.slice(said.lastIndexOf(':') + 1) ?? ''
  return commit.length >= 7 && revision.startsWith(commit)
}
