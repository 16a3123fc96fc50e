/** The status of a GitRepository, with Flux's fields and words. Pure. */
import { recordOf, textOf } from '#model/read-json.ts'
import type { JsonRecord } from '#model/json.ts'
import type { SourceStatus } from '#model/service.ts'
import { sentenceOf } from '../decide/backoff.ts'
import { conditionsOf, timeText, type Condition } from './conditions.ts'
import type { FluxObject } from './kinds.ts'
import type { OwnArtifact } from './own-artifacts.ts'
import type { Trouble } from './repository.ts'

type RepositoryFacts = {
  readonly now: number
  readonly trouble: Trouble | undefined
  /** Undefined while the service does not know it. */
  readonly source: SourceStatus | undefined
  /** Of its revision. */
  readonly packed: OwnArtifact | undefined
  /** Why it could not be packed. */
  readonly failure: string | undefined
  readonly handledAt: string
  revisionOf(commit: string): string
}

export function repositoryStatus(one: FluxObject, facts: RepositoryFacts): JsonRecord {
  const { status: before, generation } = one
  const { source, now, trouble } = facts
  const commit = trouble === undefined ? (source?.revision ?? '') : ''
  const { packed } = facts
  const artifact =
    commit === '' || packed === undefined
      ? before['artifact']
      : artifactOf(one, facts, packed, commit)
  const handled = facts.handledAt || textOf(before['lastHandledReconcileAt'])
  const isSeen = trouble !== undefined || (source !== undefined && source.at > 0)
  const observed = isSeen ? generation : before['observedGeneration']
  return {
    ...(artifact === undefined ? {} : { artifact }),
    conditions: conditionsOf(
      before['conditions'],
      wanted(facts, artifact !== undefined),
      generation,
      now,
    ),
    ...(observed === undefined ? {} : { observedGeneration: observed }),
    ...(handled === '' ? {} : { lastHandledReconcileAt: handled }),
  }
}

function artifactOf(one: FluxObject, facts: RepositoryFacts, packed: OwnArtifact, commit: string) {
  const revision = facts.revisionOf(commit)
  const { digest, path, url, size } = packed
  const known = recordOf(one.status['artifact'])
  const isSame = known['revision'] === revision && known['digest'] === digest
  const lastUpdateTime = isSame ? textOf(known['lastUpdateTime']) : timeText(facts.now)
  return { revision, digest, path, url, size, lastUpdateTime }
}

function wanted(facts: RepositoryFacts, hasArtifact: boolean): readonly Condition[] {
  const { trouble, source } = facts
  if (trouble !== undefined) {
    const { reason, message, isStalled } = trouble
    return [
      { type: 'Ready', status: 'False', reason, message },
      isStalled
        ? { type: 'Stalled', status: 'True', reason, message }
        : { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message },
    ]
  }
  if (source?.problem !== undefined) {
    const message = sentenceOf(source.problem)
    const reason = 'GitOperationFailed'
    return [
      { type: 'Ready', status: 'False', reason, message },
      { type: 'FetchFailed', status: 'True', reason, message },
      { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message },
      ...(hasArtifact ? [inStorage('artifact of an earlier revision is kept')] : []),
    ]
  }
  if (source === undefined || source.revision === '') {
    const message = 'building artifact'
    return [
      { type: 'Ready', status: 'Unknown', reason: 'Progressing', message },
      { type: 'Reconciling', status: 'True', reason: 'Progressing', message },
    ]
  }
  if (facts.failure !== undefined) {
    const [reason, message] = ['ArchiveOperationFailed', facts.failure]
    return [
      { type: 'Ready', status: 'False', reason, message },
      { type: 'StorageOperationFailed', status: 'True', reason, message },
      { type: 'Reconciling', status: 'True', reason: 'ProgressingWithRetry', message },
    ]
  }
  const message = `stored artifact for revision '${facts.revisionOf(source.revision)}'`
  return [{ type: 'Ready', status: 'True', reason: 'Succeeded', message }, inStorage(message)]
}

function inStorage(message: string): Condition {
  return { type: 'ArtifactInStorage', status: 'True', reason: 'Succeeded', message }
}
