/** Writes the status of a GitRepository, where source-controller does not. */
import type { SourceDeclared } from '#model/declaration.ts'
import type { Snapshot } from '#model/source.ts'
import { repositories, type FluxObject } from './kinds.ts'
import type { OwnArtifacts } from './own-artifacts.ts'
import { revisionOf } from './repository.ts'
import { repositoryStatus } from './repository-status.ts'
import type { StatusParts } from './statuses.ts'

/** `again`: it is to be looked at once more. */
export async function writeRepository(
  parts: StatusParts,
  one: FluxObject,
  again: () => void,
  signal: AbortSignal,
): Promise<void> {
  const { service, clock, writer, gits, artifacts } = parts
  const read = parts.reads().get(one.key)
  if (one.isDeleting || one.isSuspended || parts.leavesSources() || read === undefined) return
  const declared = 'source' in read ? read.source : undefined
  const branch = declared && service.branchFor(declared)
  const packed = declared && packedOf(artifacts, one, declared, branch?.snapshot, again)
  // what is being packed is told of when that is done
  const isSoon = branch?.snapshot !== undefined && packed === undefined
  if (isSoon && branch.status.problem === undefined) return
  const tag = declared && service.tagOf(declared)
  const status = repositoryStatus(one, {
    now: clock.now(),
    trouble: 'trouble' in read ? read.trouble : undefined,
    source: branch?.status,
    packed: packed !== undefined && 'digest' in packed ? packed : undefined,
    failure: packed !== undefined && 'failure' in packed ? packed.failure : undefined,
    handledAt: parts.served(`git ${one.key}`),
    revisionOf: (commit) => revisionOf(one, commit, tag),
  })
  const written = await writer.status(repositories, one, status, signal)
  if (written !== undefined) gits.learn(written)
}

function packedOf(
  artifacts: OwnArtifacts,
  one: FluxObject,
  source: SourceDeclared,
  snapshot: Snapshot | undefined,
  again: () => void,
) {
  return snapshot === undefined ? undefined : artifacts.find(one, source, snapshot, again)
}
